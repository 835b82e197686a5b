// A process of its own for the kill test: eight flows that hold, note and settle on one balance, and name each end only
// after the database has acknowledged it.
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { openDatabase } from '../db/client'
import { HoldService } from '../features/credits/hold-service'
import { createLogger } from '../plugins/logging'

const onCrash = (error: Error): void => {
  throw error
}
const [dataDir = '', userId = '', databaseUrl] = process.argv.slice(2)
const { db } = await openDatabase({ databaseUrl, dataDir, log: createLogger({ level: 'fatal' }), onCrash })
const holds = new HoldService({ db, now: Date.now })

let ends = 0

async function flow(): Promise<never> {
  for (;;) {
    const messageId = uuidv7()
    await holds.reserve(db, { userId, messageId, amount: dollars('0.01'), model: 'm' })
    process.stdout.write(`held ${messageId}\n`)
    await holds.extend(db, [{ userId, messageId, cost: dollars('0.001') }])
    const result = await holds.settle(db, { userId, messageId, cost: dollars('0.004') })
    process.stdout.write(`charged ${messageId} ${String(result?.charged)}\ncount ${++ends}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, flow))
