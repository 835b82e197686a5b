// The components that only people with chats need, in one chunk.
export { ChannelRows } from './channel-rows'
export { ChannelTools } from './channel-tools'
