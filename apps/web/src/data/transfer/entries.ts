import type { Channel } from '@parley/contract/channels'
import type { DataFileMetadata, DataType } from '@parley/contract/data-file'
import type { FileSource } from './file-sources'
import type { FileMessage } from './file-trees'

/** Records that are copied without conversion: assistants, documents and users. */
export type RecordType = Exclude<DataType, 'channels' | 'chats'>
export type DataRecord = { id: string } & Record<string, unknown>

/** Something in a file that was not imported: its type, its position or name, and the reason. */
export type Problem = {
  type: DataType
  label: string
  reason: 'unreadable' | 'locked' | 'failed' | 'kept' | 'incomplete'
}

/** One entry of a file, normalised. All messages of a channel come in sequence. */
export type Entry =
  | { kind: 'channel'; channel: Channel }
  | ({ kind: 'message'; channelId: string } & FileMessage)
  /** Stands for a message while a file is only checked. */
  | { kind: 'message-id'; channelId: string; mId: string }
  /** The start of a channel's list of messages. */
  | { kind: 'chat'; channelId: string }
  | { kind: 'record'; type: RecordType; record: DataRecord }
  /** One of the list `documents` with its file beside it. */
  | { kind: 'source'; source: FileSource }
  /** `channelId`: the chat that is incomplete because of it. */
  | { kind: 'problem'; problem: Problem; channelId?: string }

/** The data file of document 3, the channels file of document 1, or ChatGPT's export. */
export type FileFormat = 'data' | 'channels' | 'chatgpt'
export type FileHead = { format: FileFormat; metadata: DataFileMetadata | undefined }
