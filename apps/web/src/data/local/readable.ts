import { Channel } from '@parley/contract/channels'
import { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import type { ChannelRecord, MessageRecord, SealedRecord, SealedTable } from './database'
import type { Place, Vault } from './vault'

export type Found = { table: SealedTable; record: SealedRecord }

/** Where a record stands: what it is bound to. */
export function placeOf({ table, record }: Found): Place {
  return { table, id: record.id, channelId: 'channelId' in record ? record.channelId : record.id }
}

/** Throws storage.unreadable, and storage.newer-version for what a later version wrote. */
export async function assertReadable(vault: Vault, found: Found): Promise<void> {
  const { table, record } = found
  if (table === 'channels') await readChannel(vault, record)
  else if (table === 'messages' && 'position' in record) await readMessage(vault, record)
  // What is typed now matters more than a draft that nobody can read.
  else if (table !== 'drafts') await vault.open(placeOf(found), record)
}

/** Throws like assertReadable. */
export async function readChannel(vault: Vault, record: ChannelRecord | SealedRecord): Promise<Channel> {
  return parsed(Channel, await vault.open(placeOf({ table: 'channels', record }), record))
}

/** Throws like assertReadable. */
export async function readMessage(vault: Vault, record: MessageRecord): Promise<Message> {
  return parsed(Message, await vault.open(placeOf({ table: 'messages', record }), record))
}

/** Whether it is the same record with the same bytes. */
export function isSameRecord(one: SealedRecord, other: SealedRecord): boolean {
  return one.v === other.v && one.kid === other.kid && isSame(one.n, other.n) && isSame(new Uint8Array(one.c), new Uint8Array(other.c))
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index])

function parsed<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const { success, data } = z.safeParse(schema, value)
  if (!success) throw new AppError('storage.unreadable')
  return data
}
