import { AppError } from '@parley/contract/errors'
import { type Nano, noMoney, plus, storedNano } from '@parley/contract/money'
import type { Device } from '../local/device'
import { exchangesOf, readExchanges } from '../local/exchange-records'
import { readConversation } from '../local/message-codec'
import { isRecordError } from '../local/storage-error'
import { chatIdOf } from './chat-keys'
import { readSummaries } from './local-summaries'

/** The number of exchanges that are decrypted at a time: all of a long chat at once would freeze the page. */
const atOnce = 200

/** What the answers and summaries of a chat of this device have cost; those that cannot be read are not counted. */
export async function readCost({ db, vault, userId }: Device, channelId: string): Promise<Nano> {
  const chatId = chatIdOf(channelId, userId)
  let sum = noMoney
  for (let from = 0; ; ) {
    const batch = await readExchanges(db.transaction(['exchanges', 'runs']), exchangesOf(chatId, from), atOnce)
    const read = await Promise.all(
      batch.map((stored) => readConversation(vault, stored, null).catch((error: unknown) => noneIfUnreadable(error))),
    )
    for (const { usage } of read.flatMap(({ runs }) => runs)) sum = plus(sum, amountOf(usage?.cost))
    const last = batch.at(-1)
    if (!last || batch.length < atOnce) break
    from = last.record.position + 1
  }
  for (const { cost } of await readSummaries({ db, vault, userId }, channelId)) sum = plus(sum, amountOf(cost))
  return sum
}

/** Stored and imported messages may have any value here. */
const wholeNanos = /^\d{1,18}$/

const amountOf = (cost: string | undefined): Nano =>
  cost !== undefined && wholeNanos.test(cost) ? storedNano(cost) : noMoney

function noneIfUnreadable(error: unknown): { runs: [] } {
  if (error instanceof AppError && isRecordError(error)) return { runs: [] }
  throw error
}
