import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'

export type NewChannel = Pick<Channel, 'assistantId'> &
  Partial<Pick<Channel, 'id' | 'channelName' | 'isDocument' | 'isImage' | 'isYoutube' | 'isLocked' | 'created_at' | 'updated_at'>>

/** Messages oldest first. `before` of the next call is this page's `cursor`; undefined means that the beginning was reached. */
export type MessagePage = { messages: Message[]; cursor: string | undefined; total: number }

/** A home of channels. Both homes behave alike: one suite of tests runs against each. Every failure is an AppError. */
export interface ChannelStore {
  list(): Promise<Channel[]>
  get(channelId: string): Promise<Channel | undefined>
  /** Without a name the default one is given; ids and times may be given by imports. */
  create(channel: NewChannel): Promise<Channel>
  rename(channelId: string, name: string): Promise<Channel>
  setLocked(channelId: string, isLocked: boolean): Promise<Channel>
  /** Removes the messages and keeps the channel. */
  clear(channelId: string): Promise<void>
  remove(channelId: string): Promise<void>
  /** Skips locked channels; one failure does not stop the rest. */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }>
  /** The newest page, or the one before `before`. A record that cannot be read comes as a Message with error code storage.unreadable. */
  messages(channelId: string, options?: { before?: string; limit?: number }): Promise<MessagePage>
  message(channelId: string, mId: string): Promise<Message | undefined>
  /** Inserts or replaces by mId, keeping its place, and moves the channel's last activity to now. */
  put(message: Message): Promise<void>
  removeMessage(channelId: string, mId: string): Promise<void>
}
