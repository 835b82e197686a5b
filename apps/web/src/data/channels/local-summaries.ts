// The summaries of a chat in the device's storage, sealed like its messages.
import { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import type { SummaryRecord } from '../local/database'
import type { Device } from '../local/device'
import { openRecord } from '../local/readable'
import { isRecordError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import type { Owner } from './channel-store'
import { assertOwner, chatIdOf, summaryRange, summaryRecordId } from './chat-keys'

/** The summaries of a chat. One that cannot be read, or is of a later version, is left out, and stays as it is. */
export async function readSummaries(
  { db, vault, userId }: Pick<Device, 'db' | 'vault' | 'userId'>,
  channelId: string,
): Promise<Summary[]> {
  const records = await db.getAll('summaries', summaryRange(chatIdOf(channelId, userId)))
  const read = await Promise.all(records.map((record) => openSummary(vault, record)))
  return read.flatMap((summary) => summary ?? [])
}

async function openSummary(vault: Device['vault'], record: SummaryRecord): Promise<Summary | undefined> {
  try {
    return z.safeParse(Summary, await openRecord(vault, { table: 'summaries', record })).data
  } catch (error) {
    if (error instanceof AppError && isRecordError(error)) return undefined
    throw error
  }
}

/** Stores a summary while the exchange that it ends with is there. Throws not-found, channel.not-found. */
export function putSummary(openDevice: () => Promise<Device>, summary: Summary, of: Owner | undefined): Promise<void> {
  return writeSealed(openDevice, ['exchanges', 'runs', 'summaries'], async ({ vault, userId }) => {
    assertOwner(of, userId)
    const { channelId, exchangeId } = summary
    const chatId = chatIdOf(channelId, userId)
    const id = summaryRecordId(chatId, summary)
    const record = { id, channelId, ...(await vault.seal({ table: 'summaries', id, channelId }, summary)) }
    return async (records) => {
      if (!(await records.exchange(chatId, exchangeId))) throw new AppError('not-found')
      await records.put('summaries', record)
    }
  })
}
