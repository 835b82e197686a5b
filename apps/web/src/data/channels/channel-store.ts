import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'

export type NewChannel = Pick<Channel, 'assistantId'> &
  Partial<Pick<Channel, 'id' | 'channelName' | 'isDocument' | 'isImage' | 'isYoutube' | 'isLocked' | 'created_at' | 'updated_at'>>

/**
 * Messages oldest first. `before` of the next call is this page's `cursor`; undefined means that the beginning was reached. `newer` is `after` of the next call, or
 * `before` of one that reads this page again; undefined means that the end was reached.
 */
export type MessagePage = { messages: Message[]; cursor: string | undefined; newer: string | undefined; total: number }

/** At most one of them: what stands before or after another page, or around a message. The newest without any. */
export type PagePlace = { before?: string; after?: string; around?: string }

/** Who a change belongs to: in the store of somebody else, opened since, it fails with channel.not-found. */
export type Owner = { userId: string | undefined }

/** A home of channels. Both homes behave alike: one suite of tests runs against each. Every failure is an AppError. */
export interface ChannelStore {
  list(): Promise<Channel[]>
  get(channelId: string): Promise<Channel | undefined>
  /** Without a name the default one is given; ids and times may be given by imports. */
  create(channel: NewChannel): Promise<Channel>
  /** `instead`: only while it is called so. Answers the channel as it is then. */
  rename(channelId: string, name: string, instead?: string): Promise<Channel>
  setLocked(channelId: string, isLocked: boolean): Promise<Channel>
  /** Removes the messages and keeps the channel. */
  clear(channelId: string): Promise<void>
  remove(channelId: string): Promise<void>
  /** Skips locked channels; one failure does not stop the rest. */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }>
  /** A page of messages; an empty one where there is no message to be around. A record that cannot be read comes as a Message with error code storage.unreadable or storage.newer-version. */
  messages(channelId: string, options?: PagePlace & { limit?: number }): Promise<MessagePage>
  message(channelId: string, mId: string): Promise<Message | undefined>
  /** Inserts or replaces by mId, keeping its place, and moves the channel's last activity to now. */
  put(message: Message, of?: Owner): Promise<void>
  removeMessage(channelId: string, mId: string, of?: Owner): Promise<void>
}
