// A node of its own for the tests that kill one: the app on the database, Redis and gateway of the environment. Prints
// its address. Its heart beats every HEARTBEAT_MS where that is set; it logs where LOG_LEVEL is.
import { serverLimits } from '@parley/contract/limits/server'
import { buildApp } from '../app'
import { readEnv } from '../env'
import { createLogger } from '../plugins/logging'

const { HEARTBEAT_MS: heartbeatMs } = process.env
if (heartbeatMs !== undefined) Object.assign(serverLimits.chat, { heartbeatMs: Number(heartbeatMs) })
const env = readEnv(process.env)
const app = await buildApp({
  env,
  log: createLogger({ level: process.env.LOG_LEVEL === undefined ? 'fatal' : env.logLevel }),
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
const address = app.http.server.address()
if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
