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

/** What was seen of a channel by whoever copied it: how many messages it has, and its last activity. */
export type Seen = { total: number; updatedAt: string }

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
  /** With `seen` only if the channel is still like that: throws channel.copy-differs. Whoever removes what they copied tells the list by themselves. */
  remove(channelId: string, seen?: Seen): Promise<void>
  /** Skips locked channels; one failure does not stop the rest. */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }>
  /** A page of messages; an empty one where there is no message to be around. A record that cannot be read comes as a Message with error code storage.unreadable. */
  messages(channelId: string, options?: PagePlace & { limit?: number }): Promise<MessagePage>
  message(channelId: string, mId: string): Promise<Message | undefined>
  /** Inserts or replaces by mId, keeping its place, and moves the channel's last activity to now. */
  put(message: Message): Promise<void>
  removeMessage(channelId: string, mId: string): Promise<void>
}
