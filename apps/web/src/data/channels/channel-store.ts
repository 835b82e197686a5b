import type { OutlineEntry } from '@parley/contract/branches'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ChatSettings, ChatSettingsChange } from '@parley/contract/chat-settings'
import type { Summary } from '@parley/contract/conversations'
import type { Nano } from '@parley/contract/money'

export type NewChannel = Pick<Channel, 'assistantId'> &
  Partial<
    Pick<
      Channel,
      'id' | 'channelName' | 'isDocument' | 'isImage' | 'isYoutube' | 'isLocked' | 'created_at' | 'updated_at'
    >
  > & { settings?: ChatSettings }

/**
 * Messages, oldest first. `cursor` is `before` of the next older page; undefined at the beginning of the chat. `newer`
 * is `after` of the next newer page, or `before` of a call that reads this page again; undefined at the end.
 */
export type MessagePage = { messages: Message[]; cursor: string | undefined; newer: string | undefined; total: number }

/** At most one of them: before or after another page, or around a message. Without any: the newest messages. */
export type PagePosition = { before?: string; after?: string; around?: string }

/** The person of a change: in another person's store, opened since, it fails with channel.not-found. */
export type Owner = { userId: string | undefined }

/** A version of a question, and one of its answers: the one that is shown where no run is named. */
export type Version = { mId: string; runId?: string }

/** A home of channels. One test suite runs against both homes, which behave alike. Every failure is an AppError. */
export interface ChannelStore {
  list(): Promise<Channel[]>
  get(channelId: string): Promise<Channel | undefined>
  /** Without a name the channel gets the default one; imports pass ids and times. */
  create(channel: NewChannel): Promise<Channel>
  /** `instead`: renames only while this is the current name. Answers the channel as it is afterwards. */
  rename(channelId: string, name: string, instead?: string): Promise<Channel>
  /** Changes some of the settings with which answers are asked for. Answers the channel as it is afterwards. */
  configure(channelId: string, change: ChatSettingsChange): Promise<Channel>
  setLocked(channelId: string, isLocked: boolean): Promise<Channel>
  /** Removes the messages and keeps the channel. */
  clear(channelId: string): Promise<void>
  remove(channelId: string): Promise<void>
  /** Skips locked channels; one failure does not stop the rest. */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }>
  /**
   * A page of the messages on the path to this person's head, each with the run that the path goes through; an empty
   * one where the message of `around` does not exist. Around a message that is on no such path: of the newest path
   * through it. An unreadable record is answered as a Message with error code storage.unreadable or
   * storage.newer-version.
   */
  messages(channelId: string, options?: PagePosition & { limit?: number }): Promise<MessagePage>
  /**
   * `runId`: with this answer, and undefined where this device does not have it; otherwise with the one that is shown.
   */
  message(channelId: string, mId: string, runId?: string): Promise<Message | undefined>
  /**
   * Inserts a message after its `afterRunId`, which begins a branch where something stands there, or at the end of the
   * path; or writes a run of the one with its mId, whose question never changes. The head moves with it. Sets the
   * channel's last activity to now. Throws not-found where what it follows is gone. `isAnswer`: it is stored already,
   * or was deleted meanwhile, and then nothing is written.
   */
  put(message: Message, of?: Owner, options?: { isAnswer?: boolean }): Promise<void>
  removeMessage(channelId: string, mId: string, of?: Owner): Promise<void>
  /** Shows another version: the newest leaf below it becomes the head. Throws not-found. */
  show(channelId: string, version: Version): Promise<void>
  /**
   * Makes a channel of its own with the path up to this message, in the same home, named as a copy. Throws not-found.
   */
  branch(channelId: string, version: Version): Promise<Channel>
  /** Removes this version of a question and everything below it. The head goes to what stands. */
  removeBranch(channelId: string, mId: string): Promise<void>
  /** Every question of the channel, on whichever branch, in the order of asking. */
  outline(channelId: string): Promise<OutlineEntry[]>
  /** A pinned message goes along with every later question. Throws not-found. */
  setPinned(channelId: string, mId: string, isPinned: boolean): Promise<void>
  /** What all answers have cost, on whichever branch; those that cannot be read are not counted. */
  cost(channelId: string): Promise<Nano>
  /** The summaries of the chat, on whichever branch; those that cannot be read are left out. */
  summaries(channelId: string): Promise<Summary[]>
  /**
   * Stores the text of a summary, and whether it is undone; the cloud knows a new one before this home is asked. Throws
   * not-found where the exchange that it ends with is gone.
   */
  putSummary(summary: Summary, of?: Owner): Promise<void>
}
