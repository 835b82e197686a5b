import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Entry, FileHead } from './entries'
import { FileShape } from './file-shape'
import { JsonItems, ValueBudget } from './json-items'
import { type JsonPart, jsonParts } from './open-file'
import { piecesOf } from './stream-pieces'

export type ReadOptions = {
  /** Of the passphrase of a protected file. */
  hash: Uint8Array<ArrayBuffer> | undefined
  /** Without them the messages are looked at and counted alone. */
  withMessages: boolean
}

/** `done` and `total` are bytes of the file. */
export type Batch = { entries: Entry[]; messages: number; done: number; total: number }

/** So much is handed over at a time. */
const batchEntries = 200
const batchCharacters = 256 * 1024

/**
 * Reads a file of any size to its end, batch by batch, in our own form. It never holds more than a batch and what is being read. Throws AppError where the file
 * turns out to be none of ours: at the latest when it has been read to the end.
 */
export async function* readEntries(file: File, options: ReadOptions): AsyncGenerator<Batch, FileHead> {
  try {
    return yield* readParts(await jsonParts(file, options.hash), options, new ValueBudget(file.size))
  } catch (error) {
    // A packed stream that is broken says so in the browser's words.
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  }
}

async function* readParts(parts: readonly JsonPart[], { withMessages }: ReadOptions, values: ValueBudget): AsyncGenerator<Batch, FileHead> {
  const now = new Date()
  const guard = new Guard()
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  let batch: Batch = { entries: [], messages: 0, done, total }
  let characters = 0
  const take = (entry: Entry): void => {
    characters += guard.admit(entry)
    if (entry.kind === 'message') batch.messages++
    if (entry.kind !== 'message' || withMessages) batch.entries.push(entry)
    else batch.entries.push({ kind: 'message-id', channelId: entry.channelId, mId: entry.message.mId })
  }
  let head: FileHead | undefined
  for (const part of parts) {
    const shape = new FileShape(now, take)
    const json = new JsonItems(shape, values)
    const pieces = await part.open((count) => {
      done += count
    })
    for await (const piece of piecesOf(pieces)) {
      json.write(piece)
      if (batch.entries.length < batchEntries && characters < batchCharacters) continue
      yield { ...batch, done }
      batch = { entries: [], messages: 0, done, total }
      characters = 0
    }
    json.end()
    const found = shape.head()
    if (head && head.format !== found.format) throw new AppError('transfer.invalid')
    head = found
  }
  yield { ...batch, done }
  if (!head) throw new AppError('transfer.no-json')
  return head
}

/** Keeps a file from asking for more memory than a page has, however small it is itself. */
class Guard {
  private channels = 0
  private records = 0
  private problems = 0
  private readonly chats = new Map<string, { messages: number; characters: number }>()

  /** The text of an entry, in characters. */
  admit(entry: Entry): number {
    const { maxChannels, maxRecords, maxMessagesOfChannel, maxCharactersOfChannel } = limits.transfer
    switch (entry.kind) {
      case 'channel':
        if (++this.channels > maxChannels) throw new AppError('transfer.too-large')
        return entry.channel.channelName.length
      case 'record':
        if (++this.records > maxRecords) throw new AppError('transfer.too-large')
        return 0
      case 'chat':
      case 'message-id':
        return 0
      case 'problem':
        if (++this.problems > maxChannels) throw new AppError('transfer.too-large')
        return 0
      case 'message': {
        const size = entry.message.chat_request.length + entry.message.chat_response.content.length
        const chat = this.chats.get(entry.channelId) ?? { messages: 0, characters: 0 }
        chat.messages++
        chat.characters += size
        this.chats.set(entry.channelId, chat)
        const isTooMuch = chat.messages > maxMessagesOfChannel || chat.characters > maxCharactersOfChannel || this.chats.size > maxChannels
        if (isTooMuch) throw new AppError('transfer.too-large')
        return size
      }
    }
  }
}
