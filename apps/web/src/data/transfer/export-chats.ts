import { type Channel, isGuest, type StorageMode } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { bareMessage } from '../channels/bare-message'
import { copyOf } from '../channels/chat-records'
import { readCloudTree } from '../channels/cloud-trees'
import { homes } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { isRecordError } from '../local/storage-error'
import { pagesOldestFirst } from './export-pages'
import { fileMessagesOf } from './file-trees'

/** The cloud returns smaller pages. */
const pageSize = 200

/**
 * Yields the messages of a chat as a file has them, as JSON, with every version; only what is shown of a chat of
 * another person, of one that is being answered, and of one with unreadable records. `unreadable`: how many of these
 * are left out.
 */
export async function* chatInFile(
  channel: Channel,
  mode: StorageMode,
): AsyncGenerator<{ messages: string[]; unreadable: number }, void> {
  const copy = await wholeChat(channel, mode)
  if (copy) {
    yield {
      messages: fileMessagesOf(copy).map(({ message, tree }) => JSON.stringify({ ...message, tree })),
      unreadable: 0,
    }
    return
  }
  for await (const page of pagesOldestFirst(homes[mode], channel.id, pageSize)) {
    const readable = page.filter(
      ({ error }) => error?.code !== 'storage.unreadable' && error?.code !== 'storage.newer-version',
    )
    const messages = readable.map((message) => JSON.stringify({ ...bareMessage(message), run: undefined }))
    yield { messages, unreadable: page.length - readable.length }
  }
}

async function wholeChat(channel: Channel, mode: StorageMode): Promise<ConversationCopy | undefined> {
  if (isGuest(channel)) return undefined
  try {
    if (mode === 'cloud') return await readCloudTree(channel.id)
    const whole = await localChannels.readWhole(channel.id)
    return whole && copyOf(whole)
  } catch (error) {
    if (error instanceof AppError && (isRecordError(error) || error.code === 'channel.answering')) return undefined
    throw error
  }
}
