import { Channel } from '@parley/contract/channels'
import { Message } from '@parley/contract/chat'
import { Exchange, Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import type { ChannelRecord, ExchangeRecord, RunRecord, SealedRecord, SealedTable } from './database'
import type { RecordBinding, Vault } from './vault'

export type TableRecord = { table: SealedTable; record: SealedRecord }

/** The form of an exchange whose runs are records of their own. */
export const exchangeForm = 'exchange'

/** Whether a record is a Message of version 2 of the database, with question and answer sealed together. */
export const isOldForm = (record: ExchangeRecord): boolean => record.form === undefined

/**
 * The position that a record is cryptographically bound to; a Message of version 2 to the name that its table had.
 * Throws storage.newer-version for an exchange in a form of a later version.
 */
export function bindingOf({ table, record }: TableRecord): RecordBinding {
  const binding = { table, id: record.id, channelId: 'channelId' in record ? record.channelId : record.id }
  if (table !== 'exchanges') return binding
  const form = 'form' in record ? record.form : undefined
  if (form !== undefined && form !== exchangeForm) throw new AppError('storage.newer-version')
  return form === undefined ? { ...binding, table: 'messages' } : binding
}

/** Throws storage.unreadable, and storage.newer-version for a record of a later version. */
export async function openRecord(vault: Vault, found: TableRecord): Promise<unknown> {
  return vault.open(bindingOf(found), found.record)
}

/** The bytes of a record, of whichever table. Throws like openRecord. */
export async function openBytes(vault: Vault, found: TableRecord): Promise<Uint8Array<ArrayBuffer>> {
  return vault.openBytes(bindingOf(found), found.record)
}

/** Throws like openRecord, and where a record does not hold what its table is for. */
export async function assertReadable(vault: Vault, found: TableRecord): Promise<void> {
  const { table, record } = found
  if (table === 'channels') await readChannel(vault, record)
  else if (table === 'exchanges' && 'position' in record)
    await (isOldForm(record) ? readOldMessage(vault, record) : readExchange(vault, record))
  else if (table === 'runs' && 'exchangeId' in record) await readRun(vault, record)
  else if (table === 'files') await openBytes(vault, found)
  // An unreadable draft may be overwritten: the newly typed text matters more.
  else if (table !== 'drafts') await openRecord(vault, found)
}

/** Throws like assertReadable. */
export async function readChannel(vault: Vault, record: ChannelRecord | SealedRecord): Promise<Channel> {
  return parsed(Channel, await openRecord(vault, { table: 'channels', record }))
}

/** Reads a Message of version 2. Throws like assertReadable. */
export async function readOldMessage(vault: Vault, record: ExchangeRecord): Promise<Message> {
  return parsed(Message, await openRecord(vault, { table: 'exchanges', record }))
}

/** Throws like assertReadable. */
export async function readExchange(vault: Vault, record: ExchangeRecord): Promise<Exchange> {
  return parsed(Exchange, await openRecord(vault, { table: 'exchanges', record }))
}

/** Throws like assertReadable; a run that was put under another exchange is unreadable. */
export async function readRun(vault: Vault, record: RunRecord): Promise<Run> {
  const run = parsed(Run, await openRecord(vault, { table: 'runs', record }))
  if (run.exchangeId !== record.exchangeId) throw new AppError('storage.unreadable')
  return run
}

/** Whether two versions of a record have the same bytes. */
export function isSameRecord(one: SealedRecord, other: SealedRecord): boolean {
  return (
    one.v === other.v &&
    one.kid === other.kid &&
    isSame(one.n, other.n) &&
    isSame(new Uint8Array(one.c), new Uint8Array(other.c))
  )
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

function parsed<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const { success, data } = z.safeParse(schema, value)
  if (!success) throw new AppError('storage.unreadable')
  return data
}
