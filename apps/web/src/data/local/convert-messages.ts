// Messages of version 2 of the database become exchanges and runs, in the background. Until one is converted it is read
// as it is; written anew, it is converted at once.
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { withOwnIds } from '@parley/contract/stored-message'
import { conversionId, conversionIsOver, type ExchangeRecord, type RunRecord } from './database'
import type { Device } from './device'
import { exchangeBefore, readExchanges, type StoredExchange } from './exchange-records'
import { readConversation, sealExchange, sealRun, shownRunId } from './message-codec'
import { isOldForm, isSameRecord } from './readable'
import { isRecordError } from './storage-error'
import { withTabLock } from './tab-lock'
import { type NoteRead, OutdatedRead, type WritableRecords, writeSealed } from './write-sealed'

type OpenDevice = () => Promise<Device>
/** What an old message becomes. */
type Conversion = { before: ExchangeRecord; after: ExchangeRecord; runs: RunRecord[] }
type Position = [chatId: string, position: number]

const batchSize = 50

/**
 * Converts what is left, a batch in each transaction, which also notes how far it has come: it may be ended at any
 * moment. One tab at a time. What cannot be read stays as it is.
 */
export async function convertMessages(openDevice: OpenDevice): Promise<void> {
  const { db } = await openDevice()
  if ((await progressIn(db)) === conversionIsOver) return
  await withTabLock(`${db.name}-conversion`, async () => {
    let isOver = false
    while (!isOver) isOver = await convertBatch(openDevice)
  })
}

/** Answers whether nothing is left. */
function convertBatch(openDevice: OpenDevice): Promise<boolean> {
  const tables = ['exchanges', 'runs'] as const
  const seal = async (device: Device, noteRead: NoteRead): Promise<(records: WritableRecords) => Promise<boolean>> => {
    const progress = await progressIn(device.db)
    if (progress === conversionIsOver) return async () => true
    const range = progress === undefined ? undefined : IDBKeyRange.lowerBound(JSON.parse(progress), true)
    const batch = await readExchanges(device.db.transaction(tables), range, batchSize)
    const conversions = await convert(device, batch, noteRead)
    const last = batch.at(-1)?.record
    const isOver = batch.length < batchSize
    return async (records) => {
      for (const conversion of conversions) await replace(records, conversion)
      const position: Position | undefined = last && [last.chatId, last.position]
      await records.note(conversionId, isOver ? conversionIsOver : JSON.stringify(position))
      return isOver
    }
  }
  return writeSealed(openDevice, tables, seal, 'relaxed')
}

async function progressIn(db: Device['db']): Promise<string | undefined> {
  return (await db.get('meta', conversionId))?.value
}

/** A chat of the batch: the run that its next exchange follows, and the runs that the batch adds to it. */
type Chat = { id: string; lastRunId: string | null; exchangeOf: Map<string, string> }

/** The batch is in the order of its chats and positions: an exchange follows the one before it in its chat. */
async function convert(device: Device, batch: readonly StoredExchange[], noteRead: NoteRead): Promise<Conversion[]> {
  const { db, vault } = device
  const conversions: Conversion[] = []
  let chat: Chat | undefined
  for (const stored of batch) {
    const { record } = stored
    const { chatId } = record
    if (chat?.id !== chatId) {
      const before = await exchangeBefore(db.transaction(['exchanges', 'runs']), chatId, record.position)
      chat = { id: chatId, lastRunId: before ? await shownRunId(vault, before) : null, exchangeOf: new Map() }
    }
    const read = isOldForm(record) && (await readConversation(vault, stored, chat.lastRunId).catch(leaveUnreadable))
    if (!read) {
      chat.lastRunId = await shownRunId(vault, stored)
      continue
    }
    const runs = await withFreeIds(device, chat, read)
    noteRead({ table: 'exchanges', record })
    conversions.push({
      before: record,
      after: await sealExchange(vault, read.exchange, record),
      runs: await Promise.all(runs.map((run) => sealRun(vault, run, chatId))),
    })
    for (const { id } of runs) chat.exchangeOf.set(id, record.id)
    chat.lastRunId = runs.at(-1)?.id ?? record.id
  }
  return conversions
}

function leaveUnreadable(error: unknown): undefined {
  if (!(error instanceof AppError && isRecordError(error))) throw error
}

/** Messages that were kept in two versions have one run: in a tree each needs its own. */
async function withFreeIds({ db }: Device, chat: Chat, { exchange, runs }: ExchangeWithRuns): Promise<Run[]> {
  const taken = new Set<string>()
  for (const { id } of runs) {
    const [key] = await db.getAllKeysFromIndex('runs', 'byId', [chat.id, id], 1)
    const owner = chat.exchangeOf.get(id) ?? key?.[1]
    if (owner !== undefined && owner !== exchange.id) taken.add(id)
  }
  return withOwnIds(runs, exchange.id, (id) => taken.has(id))
}

async function replace(records: WritableRecords, { before, after, runs }: Conversion): Promise<void> {
  const now = await records.read('exchanges').get([before.chatId, before.position])
  // Somebody has removed it, or written it anew.
  if (!now || !isOldForm(now)) return
  if (!isSameRecord(now, before)) throw new OutdatedRead()
  await records.put('exchanges', after)
  for (const run of runs) await records.put('runs', run)
}
