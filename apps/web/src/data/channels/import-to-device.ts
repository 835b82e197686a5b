import type { Channel } from '@parley/contract/channels'
import { newestLeafBelow, treeOf } from '@parley/contract/conversation-tree'
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { sealChannel } from '../local/channel-codec'
import type { ChannelRecord, ChatRecord, ExchangeRecord, RunRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangeBefore, exchangeById, exchangesOf, runsOf, type StoredExchange } from '../local/exchange-records'
import { readConversation, sealExchange, sealRun, shownRunId } from '../local/message-codec'
import { isOldForm, isSameRecord } from '../local/readable'
import { OutdatedRead, type WritableRecords, writeSealed } from '../local/write-sealed'
import type { SharedSource } from '../sources/device-copies'
import { chatIdOf, emptyChat } from './chat-keys'
import { type ChatTree, isSameChat, readTree, reshaped } from './chat-tree'
import { type Importable, idOf, linked, missingRuns, rejoined } from './fit-exchanges'
import { runsLeftBehind } from './runs-left-behind'

type OpenDevice = () => Promise<Device>
type SealedExchange = { record: ExchangeRecord; runs: RunRecord[] }

/**
 * The number of exchanges that are encrypted and written at a time: all of a long chat at once would freeze the page.
 */
const atOnce = 200

/**
 * `head`: of a chat with branches, the run up to which it is read; without it the copy is a line. `shared`: its
 * sources, which consist of what others of the same vault do.
 */
export type ImportOptions = {
  isReplacing?: boolean
  head?: string | undefined
  shared?: (device: Device) => Promise<SharedSource[]>
}

/**
 * Imports a channel with its exchanges in one transaction: an interrupted import leaves no partial channel. It fails
 * where the channel exists, unless `isReplacing`.
 */
export async function importToDevice(
  openDevice: OpenDevice,
  channel: Channel,
  items: readonly Importable[],
  { isReplacing = false, head, shared }: ImportOptions = {},
): Promise<void> {
  await writeSealed(openDevice, ['channels', 'chats', 'exchanges', 'runs', 'documents'], async (device) => {
    const { vault, userId } = device
    const record: ChannelRecord = { id: channel.id, at: channel.updated_at, ...(await sealChannel(vault, channel)) }
    const chatId = chatIdOf(channel.id, userId)
    const leftBehind = isReplacing ? new Map<string, Run[]>() : await runsLeftBehind(device, chatId)
    const exchanges = linked(items, channel.id, { lastRunId: null, exchangeOfRun: new Map() }).map((each) => {
      const { id } = each.exchange
      return { ...each, runs: rejoined(leftBehind.get(id) ?? [], each.runs, id) }
    })
    const sealed = await sealAll(device, chatId, exchanges)
    const sources = (await shared?.(device)) ?? []
    return async (records) => {
      // Positions go on after the last one, so that a cursor of a replaced message never points to a new one.
      const { lastPosition } = (await records.read('chats').get(chatId)) ?? emptyChat(channel.id, userId)
      await removeExchanges(records, chatId)
      await (isReplacing ? records.put('channels', record) : records.add('channels', record))
      await records.put(
        'chats',
        reshaped({
          ...{ id: chatId, channelId: channel.id },
          ...{ count: sealed.length, lastPosition: lastPosition + sealed.length },
          ...(head === undefined ? {} : { head }),
        }),
      )
      await addAll(records, sealed, lastPosition)
      // One that was removed meanwhile took along what it consisted of.
      for (const { from, record } of sources)
        if ((await records.read('documents').getKey(from)) !== undefined) await records.add('documents', record)
    }
  })
}

/**
 * Adds the exchanges that a channel does not have, after its own, in one transaction, and to those that it has the
 * earlier runs that they lack. The channel's last activity stays. Answers how many exchanges were added. `hasBranches`:
 * of the chat that they come from.
 */
export async function addToDevice(
  openDevice: OpenDevice,
  channelId: string,
  items: readonly Importable[],
  { hasBranches = false }: { hasBranches?: boolean } = {},
): Promise<number> {
  return writeSealed(openDevice, ['channels', 'chats', 'exchanges', 'runs'], async (device, noteRead) => {
    const { db, vault, userId } = device
    const chatId = chatIdOf(channelId, userId)
    const tx = db.transaction(['chats', 'exchanges', 'runs'])
    const before = await tx.objectStore('chats').get(chatId)
    const last = await exchangeBefore(tx, chatId, Number.MAX_SAFE_INTEGER)
    const known = new Map<string, StoredExchange>()
    for (const item of items) {
      const stored = await exchangeById(tx, chatId, idOf(item))
      if (stored) known.set(idOf(item), stored)
    }
    const keys = await tx.objectStore('runs').getAllKeys(runsOf(chatId))
    const tree = hasBranches || before?.head !== undefined ? await readTree(device, channelId) : undefined
    const head = tree?.path.at(-1)?.run.id ?? null
    const exchanges = linked(
      items.filter((item) => !known.has(idOf(item))),
      channelId,
      {
        lastRunId: tree ? head : last ? await shownRunId(vault, last) : null,
        exchangeOfRun: new Map(keys.map(([, exchangeId, id]) => [id, exchangeId])),
      },
    )
    const sealed = await sealAll(device, chatId, exchanges)
    const completed: SealedExchange[] = []
    for (const item of items) {
      const stored = known.get(idOf(item))
      if (!stored || !('exchange' in item) || item.runs.length < 2) continue
      const there = await readConversation(vault, stored, item.exchange.afterRunId)
      const missing = missingRuns(there.runs, item.runs, there.exchange.id)
      if (missing.length === 0) continue
      noteRead({ table: 'exchanges', record: stored.record })
      completed.push(await completion(device, stored, there, missing))
    }
    return async (records) => {
      // The channel was deleted meanwhile: its messages would be orphaned.
      if (!(await records.own('channels', channelId))) throw new AppError('channel.not-found')
      const stored = await records.read('chats').get(chatId)
      const chat = stored ?? emptyChat(channelId, userId)
      const now = await records.exchangeBefore(chatId, Number.MAX_SAFE_INTEGER)
      if (now?.record.id !== last?.record.id || !isSameChat(before, stored)) throw new OutdatedRead()
      for (const { record, runs } of completed) {
        const before = known.get(record.id)
        const there = await records.exchange(chatId, record.id)
        if (!before || !there || !isSameRecord(there.record, before.record)) throw new OutdatedRead()
        await records.put('exchanges', record)
        for (const run of runs) await records.put('runs', run)
      }
      await addAll(records, sealed, chat.lastPosition)
      const lastPosition = chat.lastPosition + sealed.length
      const shape = tree && headAfter(tree, exchanges)
      await records.put('chats', reshaped(chat, { count: chat.count + sealed.length, lastPosition, ...shape }))
      return sealed.length
    }
  })
}

/** What follows the head is on the path; what follows another run is a branch beside it. */
function headAfter({ tree, path, follows }: ChatTree, added: readonly ExchangeWithRuns[]): Partial<ChatRecord> {
  const head = path.at(-1)?.run.id ?? null
  const exchanges = [...tree.exchanges.values()].map((each) => ({ ...each, afterRunId: tree.parentOf(each) }))
  const all = treeOf(
    [...exchanges, ...added.map(({ exchange }) => exchange)],
    [...tree.runs.values(), ...added.flatMap(({ runs }) => runs)],
  )
  const leaf = newestLeafBelow(all, head) ?? head
  return { follows, ...(leaf === null ? {} : { head: leaf }) }
}

/** What gives an exchange the runs that it lacks; a Message of version 2 is converted for it. */
async function completion(
  { vault }: Device,
  { record }: StoredExchange,
  there: ExchangeWithRuns,
  missing: readonly Run[],
): Promise<SealedExchange> {
  const { chatId } = record
  const added = await Promise.all(missing.map((run) => sealRun(vault, run, chatId)))
  if (!isOldForm(record)) return { record, runs: added }
  const own = await Promise.all(there.runs.map((run) => sealRun(vault, run, chatId)))
  return { record: await sealExchange(vault, there.exchange, record), runs: [...own, ...added] }
}

/** Removes the exchanges of a chat with their runs, and leaves those that stayed here without their exchange. */
export async function removeExchanges(records: WritableRecords, chatId: string): Promise<void> {
  const runs = (await records.exchanges(exchangesOf(chatId))).flatMap((stored) => stored.runs)
  await records.removeReadable('runs', ...runs.map(({ exchangeId, id }): RunKey => [chatId, exchangeId, id]))
  await records.removeReadable('exchanges', exchangesOf(chatId))
}
type RunKey = [string, string, string]

export async function addAll(
  records: WritableRecords,
  exchanges: readonly SealedExchange[],
  after: number,
): Promise<void> {
  let position = after
  for (const batch of batchesOf(exchanges)) {
    const add = async ({ record, runs }: SealedExchange): Promise<void> => {
      const added = records.add('exchanges', { ...record, position: ++position })
      await Promise.all([added, ...runs.map((run) => records.add('runs', run))])
    }
    await Promise.all(batch.map(add))
  }
}

export async function sealAll(
  { vault }: Device,
  chatId: string,
  exchanges: readonly ExchangeWithRuns[],
): Promise<SealedExchange[]> {
  const all: SealedExchange[] = []
  for (const batch of batchesOf(exchanges)) {
    const seal = async ({ exchange, runs }: ExchangeWithRuns): Promise<SealedExchange> => ({
      record: await sealExchange(vault, exchange, { chatId, position: 0 }),
      runs: await Promise.all(runs.map((run) => sealRun(vault, run, chatId))),
    })
    all.push(...(await Promise.all(batch.map(seal))))
  }
  return all
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce)
}
