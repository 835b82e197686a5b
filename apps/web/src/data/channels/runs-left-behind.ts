// Earlier runs that stay on this device when their chat is moved to the cloud, which takes what is shown.
import type { Run } from '@parley/contract/conversations'
import type { Device } from '../local/device'
import { runsOf } from '../local/exchange-records'
import { readRun } from '../local/readable'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'
import { chatIdOf } from './chat-keys'

/** Those of a chat that comes back, by their exchange. */
export async function runsLeftBehind({ db, vault }: Device, chatId: string): Promise<Map<string, Run[]>> {
  const left = new Map<string, Run[]>()
  for (const record of await db.getAll('runs', runsOf(chatId))) {
    const run = await readRun(vault, record).catch(() => undefined)
    // Of one that cannot be read only the id is known, which nothing else may take.
    const { channelId, exchangeId, startedAt } = record
    const standIn: Run = { id: record.id, ...{ channelId, exchangeId, startedAt, answer: [], status: 'failed' } }
    left.set(exchangeId, [...(left.get(exchangeId) ?? []), run ?? standIn])
  }
  return left
}

/** Removes those of a channel that was deleted or cleared in the cloud, or of one message of it. */
export async function forgetRuns(channelId: string, mId?: string): Promise<void> {
  await orStorageError(() =>
    writeSealed(openDevice, ['channels', 'runs'], async ({ userId }) => async (records) => {
      if ((await records.read('channels').getKey(channelId)) !== undefined) return
      const chatId = chatIdOf(channelId, userId)
      await records.removeAny('runs', mId === undefined ? runsOf(chatId) : runsOf(chatId, mId))
    }),
  )
}

/** Removes those of every channel that is neither here nor among these. */
export async function forgetRunsExcept(inCloud: ReadonlySet<string>): Promise<void> {
  await orStorageError(async () => {
    const { db, userId } = await openDevice()
    const here = await db.getAllKeys('channels')
    const kept = new Set([...here, ...inCloud].map((channelId) => chatIdOf(channelId, userId)))
    const left = new Set((await db.getAllKeys('runs')).map(([chatId]) => chatId).filter((chatId) => !kept.has(chatId)))
    const suffix = chatIdOf('', userId)
    for (const chatId of left) if (chatId.endsWith(suffix)) await forgetRuns(chatId.slice(0, -suffix.length))
  })
}
