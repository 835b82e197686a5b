import type { Channel, StorageMode } from '@parley/contract/channels'
import { channelRoutes } from '@parley/contract/cloud'
import { type DataFileMetadata, type DataType, dataTypes, type StorageType } from '@parley/contract/data-file'
import { webLimits } from '@parley/contract/limits/web'
import * as z from 'zod/mini'
import { api } from '../api/api'
import { homes } from '../channels/homes'
import { storedSession } from '../session/stored-session'
import type { DataRecord, RecordType } from './entries'
import { chatInFile } from './export-chats'
import type { ExportedSource } from './export-sources'
import { deviceRecords } from './record-store'

export type DataFileChoice = {
  types: readonly DataType[]
  storageType: StorageType
  isCompressed: boolean
  isEncrypted: boolean
}
/** `unreadable`: messages of this device that could not be decrypted, and are not in the file. */
export type TextCounts = { items: number; unreadable: number }

export const homesOf = (storageType: StorageType): readonly StorageMode[] =>
  storageType === 'both' ? ['local', 'cloud'] : [storageType]

const sourceOf = { local: 'indexeddb', cloud: 'postgresql' } as const

/**
 * Generates the data file's text in chunks: only one chat is in memory at a time. The metadata come last,
 * when the number of items is known. `onProgress` counts channels.
 */
export async function* dataFileText(
  { types, storageType, isCompressed, isEncrypted, sources }: DataFileChoice & { sources: readonly ExportedSource[] },
  onProgress: (done: number, total: number) => void,
  now: Date,
): AsyncGenerator<string, TextCounts> {
  const modes = homesOf(storageType)
  const exportedAt = now.toISOString()
  const counts: TextCounts = { items: 0, unreadable: 0 }
  const channels = types.includes('channels') || types.includes('chats') ? await listChannels(modes) : []
  for (const [index, type] of dataTypes.entries()) {
    yield `${index === 0 ? '{' : ','}\n${JSON.stringify(type)}:[`
    if (types.includes(type)) {
      const parts =
        type === 'channels'
          ? channelParts(channels, exportedAt)
          : type === 'chats'
            ? chatParts(channels)
            : recordParts(type, modes, exportedAt)
      yield* parts
    }
    yield ']'
  }
  const metadata: DataFileMetadata = {
    exportedAt,
    exportedBy: storedSession()?.user.email ?? null,
    version: webLimits.transfer.version,
    storageType,
    totalItems: counts.items,
    encrypted: isEncrypted,
    compressed: isCompressed,
  }
  yield `,\n"metadata":${JSON.stringify(metadata)}}\n`
  return counts

  function* channelParts(all: readonly HomeChannel[], at: string): Generator<string, void> {
    for (const [index, { channel, mode }] of all.entries()) {
      counts.items++
      yield `${index > 0 ? ',' : ''}\n${JSON.stringify({ ...channel, source: sourceOf[mode], exportedAt: at })}`
    }
  }

  async function* chatParts(all: readonly HomeChannel[]): AsyncGenerator<string, void> {
    const userId = storedSession()?.user.id
    for (const [index, { channel, mode }] of all.entries()) {
      const head = {
        id: `${channel.id}_${userId ?? 'anonymous'}`,
        channelId: channel.id,
        userId: userId ?? null,
        source: sourceOf[mode],
        exportedAt,
      }
      yield `${index > 0 ? ',' : ''}\n${JSON.stringify(head).slice(0, -1)},"messages":[`
      let isFirst = true
      for await (const { messages, unreadable } of chatInFile(channel, mode)) {
        counts.unreadable += unreadable
        counts.items += messages.length
        for (const message of messages) {
          yield `${isFirst ? '' : ','}\n${message}`
          isFirst = false
        }
      }
      yield ']}'
      onProgress(index + 1, all.length)
    }
  }

  async function* recordParts(
    type: RecordType,
    from: readonly StorageMode[],
    at: string,
  ): AsyncGenerator<string, void> {
    let isFirst = true
    for (const mode of from) {
      for (const record of await (mode === 'local' ? deviceRecords(type) : cloudRecords(type))) {
        counts.items++
        yield `${isFirst ? '' : ','}\n${JSON.stringify({ ...record, source: sourceOf[mode], exportedAt: at })}`
        isFirst = false
      }
    }
    for (const { item, mode } of type === 'documents' ? sources : []) {
      counts.items++
      yield `${isFirst ? '' : ','}\n${JSON.stringify({ ...item, source: sourceOf[mode], exportedAt: at })}`
      isFirst = false
    }
  }
}

type HomeChannel = { channel: Channel; mode: StorageMode }

async function listChannels(modes: readonly StorageMode[]): Promise<HomeChannel[]> {
  const all: HomeChannel[] = []
  for (const mode of modes) for (const channel of await homes[mode].list()) all.push({ channel, mode })
  return all
}

const CloudRecord = z.looseObject({ id: z.string() })

/** The server's records of the person beside the chats. */
async function cloudRecords(type: RecordType): Promise<DataRecord[]> {
  const user = storedSession()?.user
  if (type === 'users') return user ? [user] : []
  if (type === 'assistants') return []
  const { documents } = await api(channelRoutes.list, { query: { page: 0, size: 1 } })
  return documents.flatMap((document) => z.safeParse(CloudRecord, document).data ?? [])
}
