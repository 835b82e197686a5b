// A process of its own for the crash test: writes rows one after the other and names each only after the database has
// acknowledged it.
import { openDatabase } from '../db/client'
import { socketTickets } from '../db/schema/tickets'
import { createLogger } from '../plugins/logging'

const onCrash = (error: Error): void => {
  throw error
}
const { db } = await openDatabase({
  databaseUrl: undefined,
  dataDir: process.argv[2] ?? '',
  log: createLogger({ level: 'fatal' }),
  onCrash,
})
const run = process.argv[3] ?? ''
for (let n = 0; ; n++) {
  await db.insert(socketTickets).values({ tokenHash: `${run}-${n}`, subject: 'anon:writer', expiresAt: new Date(0) })
  process.stdout.write(`${run}-${n}\n`)
}
