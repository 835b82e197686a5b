// What only somebody who has chats needs: one file for all of it.
export { ChannelRows } from './channel-rows'
export { ChannelTools } from './channel-tools'
