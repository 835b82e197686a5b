import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { Entry, FileHead } from './entries'
import { FileShape } from './file-shape'
import { JsonItems, ValueBudget } from './json-items'
import { type JsonPart, jsonParts } from './open-file'
import { piecesOf } from './stream-pieces'

export type ReadOptions = {
  /** The hash of a protected file's passphrase. */
  hash: Uint8Array<ArrayBuffer> | undefined
  /** Otherwise messages are only checked and counted. */
  withMessages: boolean
}

/** `done` and `total` are bytes of the file. */
export type Batch = { entries: Entry[]; messages: number; done: number; total: number }

/** The size of a batch. */
const batchEntries = 200
const batchCharacters = 256 * 1024

/**
 * Reads a file of any size, batch by batch, and normalises its entries. Only one batch is in memory. Throws AppError
 * for a file of another format: at the latest when all of it has been read.
 */
export async function* readEntries(file: File, options: ReadOptions): AsyncGenerator<Batch, FileHead> {
  try {
    return yield* readParts(await jsonParts(file, options.hash), options, new ValueBudget(file.size))
  } catch (error) {
    // A broken compressed stream throws the browser's own error.
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  }
}

async function* readParts(
  parts: readonly JsonPart[],
  { withMessages }: ReadOptions,
  values: ValueBudget,
): AsyncGenerator<Batch, FileHead> {
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

/** Limits what a file may require in memory, however small it is itself. */
class Guard {
  private channels = 0
  private records = 0
  private problems = 0
  private readonly chats = new Map<string, { messages: number; characters: number }>()

  /** Answers the size of an entry's text, in characters. */
  admit(entry: Entry): number {
    const { maxChannels, maxRecords, maxMessagesOfChannel, maxCharactersOfChannel } = webLimits.transfer
    switch (entry.kind) {
      case 'channel':
        if (++this.channels > maxChannels) throw new AppError('transfer.too-large')
        return entry.channel.channelName.length
      case 'record':
      case 'source':
        if (++this.records > maxRecords) throw new AppError('transfer.too-large')
        return 0
      case 'chat':
      case 'message-id':
        return 0
      case 'problem':
        if (++this.problems > maxChannels) throw new AppError('transfer.too-large')
        return 0
      case 'message': {
        const { message, tree } = entry
        const own = message.chat_request.length + message.chat_response.content.length
        const size = own + (tree ? JSON.stringify(tree).length : 0)
        const chat = this.chats.get(entry.channelId) ?? { messages: 0, characters: 0 }
        chat.messages += 1 + (tree?.runs.length ?? 0) + (tree?.beside?.length ?? 0)
        chat.characters += size
        this.chats.set(entry.channelId, chat)
        const isTooMuch =
          chat.messages > maxMessagesOfChannel ||
          chat.characters > maxCharactersOfChannel ||
          this.chats.size > maxChannels
        if (isTooMuch) throw new AppError('transfer.too-large')
        return size
      }
    }
  }
}
