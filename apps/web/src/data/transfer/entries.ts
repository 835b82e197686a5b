import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { DataFileMetadata, DataType } from '@parley/contract/data-file'

/** Kept as they came: an assistant, a document or a user. */
export type RecordType = Exclude<DataType, 'channels' | 'chats'>
export type DataRecord = { id: string } & Record<string, unknown>

/** Something of a file that was not taken: what it is, where it stands or what it is called, and why. */
export type Problem = { type: DataType; place: string; reason: 'unreadable' | 'locked' | 'failed' | 'kept' | 'incomplete' }

/** What is read out of a file, one by one, in our own form. Messages of a channel come one after the other. */
export type Entry =
  | { kind: 'channel'; channel: Channel }
  | { kind: 'message'; channelId: string; message: Message }
  /** Of a message that is only looked at. */
  | { kind: 'message-id'; channelId: string; mId: string }
  /** The list of a channel's messages begins. */
  | { kind: 'chat'; channelId: string }
  | { kind: 'record'; type: RecordType; record: DataRecord }
  /** `channelId`: of the chat that is not whole because of it. */
  | { kind: 'problem'; problem: Problem; channelId?: string }

/** The data file of document 3, the channels file of document 1, or what ChatGPT gives out. */
export type FileFormat = 'data' | 'channels' | 'chatgpt'
export type FileHead = { format: FileFormat; metadata: DataFileMetadata | undefined }
