// The questions of a chat of this device, on whichever branch, and the pins of its messages.
import { filesIn } from '@parley/contract/answer-parts'
import type { OutlineEntry } from '@parley/contract/branches'
import type { Message } from '@parley/contract/chat'
import type { Exchange } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { textOf } from '@parley/contract/parts'
import { questionText } from '../../lib/message-sources'
import type { ExchangeRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangeBefore, exchangeById, exchangesOf } from '../local/exchange-records'
import { readConversation, sealExchange, sealRun, shownRunId } from '../local/message-codec'
import { bindingOf, isOldForm, isSameRecord, openRecord, readExchange, readOldMessage } from '../local/readable'
import { isRecordError } from '../local/storage-error'
import type { Vault } from '../local/vault'
import { OutdatedRead, writeSealed } from '../local/write-sealed'
import { chatIdOf } from './chat-keys'
import { readTree, reshaped } from './chat-tree'

/** The number of questions that are decrypted at a time: all of a long chat at once would freeze the page. */
const atOnce = 200
const excerptLength = 200

/** Every question of a chat, in the order of asking; without a text where it cannot be read. Decrypts no answer. */
export async function readOutline(device: Device, channelId: string): Promise<OutlineEntry[]> {
  const { db, vault, userId } = device
  const chat = await readTree(device, channelId)
  if (!chat) return []
  const { tree } = chat
  const shown = new Set(chat.path.map(({ exchange }) => exchange.id))
  const entryOf = async (record: ExchangeRecord): Promise<OutlineEntry> => {
    const exchange = tree.exchanges.get(record.id)
    const parent = exchange ? tree.parentOf(exchange) : null
    return {
      mId: record.id,
      afterMId: (parent === null ? undefined : tree.runs.get(parent)?.exchangeId) ?? null,
      datetime: record.at,
      isShown: shown.has(record.id),
      ...(await questionOf(vault, record)),
    }
  }
  const entries: OutlineEntry[] = []
  for (let from = 0; ; ) {
    const batch = await db.getAll('exchanges', exchangesOf(chatIdOf(channelId, userId), from), atOnce)
    entries.push(...(await Promise.all(batch.map(entryOf))))
    const last = batch.at(-1)
    if (!last || batch.length < atOnce) return entries
    from = last.position + 1
  }
}

async function questionOf(
  vault: Vault,
  record: ExchangeRecord,
): Promise<Pick<OutlineEntry, 'text' | 'isPinned' | 'author'>> {
  try {
    const { text, author, isPinned } = isOldForm(record)
      ? questionOfMessage(await readOldMessage(vault, record))
      : questionOfExchange(await readExchange(vault, record))
    return {
      text: Array.from(text.slice(0, excerptLength * 2))
        .slice(0, excerptLength)
        .join(''),
      ...(author === undefined ? {} : { author }),
      ...(isPinned ? { isPinned } : {}),
    }
  } catch (error) {
    if (error instanceof AppError && isRecordError(error)) return { text: '' }
    throw error
  }
}

type Question = Pick<OutlineEntry, 'text' | 'isPinned' | 'author'>

const questionOfMessage = (message: Message): Question => ({ text: questionText(message), author: message.author })
const questionOfExchange = ({ question, author, isPinned }: Exchange): Question => ({
  ...{ text: questionText({ chat_request: textOf(question), files: filesIn(question) }), author },
  ...(isPinned ? { isPinned } : {}),
})

/**
 * Sets the flag of an exchange, and leaves all else of its record as it is, also what a later version has added. Throws
 * not-found, storage.unreadable and storage.newer-version.
 */
export function setPinned(
  openDevice: () => Promise<Device>,
  { channelId, mId }: Pick<Message, 'channelId' | 'mId'>,
  isPinned: boolean,
): Promise<void> {
  return writeSealed(openDevice, ['chats', 'exchanges', 'runs'], async ({ db, vault, userId }, noteRead) => {
    const chatId = chatIdOf(channelId, userId)
    const tx = db.transaction(['exchanges', 'runs'])
    const stored = await exchangeById(tx, chatId, mId)
    if (!stored) throw new AppError('not-found')
    const { record } = stored
    const isOld = isOldForm(record)
    const before = isOld ? await exchangeBefore(tx, chatId, record.position) : undefined
    const change = isOld
      ? await readConversation(vault, stored, before ? await shownRunId(vault, before) : null)
      : { exchange: await readExchange(vault, record), runs: [] }
    if ((change.exchange.isPinned ?? false) === isPinned) return async () => undefined
    const sealed = isOld
      ? await sealExchange(vault, withPin(change.exchange, isPinned), record)
      : {
          ...record,
          ...(await vault.seal(bindingOf({ table: 'exchanges', record }), await pinned(vault, record, isPinned))),
        }
    const runs = await Promise.all(change.runs.map((run) => sealRun(vault, run, chatId)))
    noteRead({ table: 'exchanges', record })
    return async (records) => {
      const now = await records.read('exchanges').get([chatId, record.position])
      if (!now) throw new AppError('not-found')
      if (!isSameRecord(now, record)) throw new OutdatedRead()
      await records.put('exchanges', sealed)
      for (const run of runs) await records.put('runs', run)
      const chat = isOld ? await records.read('chats').get(chatId) : undefined
      if (chat) await records.put('chats', reshaped(chat))
    }
  })
}

/** The value of an exchange's record, with all that this version does not know. */
async function pinned(vault: Vault, record: ExchangeRecord, isPinned: boolean): Promise<unknown> {
  const value = await openRecord(vault, { table: 'exchanges', record })
  if (typeof value !== 'object' || value === null) throw new AppError('storage.unreadable')
  return withPin(value as { isPinned?: true | undefined }, isPinned)
}

function withPin<T extends { isPinned?: true | undefined }>(
  { isPinned: _pinned, ...rest }: T,
  isPinned: boolean,
): Omit<T, 'isPinned'> & { isPinned?: true } {
  return { ...rest, ...(isPinned ? { isPinned: true as const } : {}) }
}
