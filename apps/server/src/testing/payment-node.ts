// A server process for the crash tests: the payment routes, on the database and the providers of the environment. Its
// access tokens are the ids of people. Prints its address, and kills itself at the crash point DIE_AT.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../db/client'
import { Scheduler } from '../db/scheduler'
import { readEnv } from '../env'
import { CreditEvents } from '../features/credits/public/credit-events'
import { LedgerService } from '../features/credits/public/ledger'
import { PaymentMails } from '../features/payments/payment-mails'
import { createPaymentMethods } from '../features/payments/payment-methods'
import { registerPaymentRoutes } from '../features/payments/payment-routes'
import { PaymentService } from '../features/payments/payment-service'
import { ReconciliationService } from '../features/payments/public/reconciliation'
import { createHttp } from '../plugins/http'
import { createLogger } from '../plugins/logging'
import { registerPeople } from '../plugins/people'
import { createBus } from '../providers/bus/create-bus'
import { createEgress } from '../providers/egress'
import { createMail } from '../providers/mail'
import { Secrets } from '../secrets'
import { statementsOfSteps } from './payment-crash-points'

const [, moment, step = ''] = /^(\w+) (.+)$/.exec(process.env.DIE_AT ?? '') ?? []
const statementOfStep = Object.entries(statementsOfSteps).find(([name]) => name === step)?.[1]
let isArmed = false

const die = (): void => void process.kill(process.pid, 'SIGKILL')
const send = pg.Client.prototype.query as (...given: unknown[]) => unknown
const crashingQuery = function (this: pg.Client, ...given: [string | pg.QueryConfig, ...unknown[]]): unknown {
  const [statement] = given
  const text = typeof statement === 'string' ? statement : statement.text
  if (!isArmed || statementOfStep === undefined || !text.includes(statementOfStep))
    return Reflect.apply(send, this, given)
  if (moment === 'before') die()
  const callback = given.at(-1)
  if (moment === 'after' && typeof callback === 'function') given.splice(-1, 1, die)
  const result = Reflect.apply(send, this, given)
  if (moment === 'during') die()
  return result instanceof Promise ? result.then(die) : result
}
pg.Client.prototype.query = crashingQuery as typeof pg.Client.prototype.query

const env = readEnv(process.env)
const log = createLogger({ level: 'fatal' })
const secrets = new Secrets([randomUUID()])
const onCrash = (error: Error): void => {
  throw error
}
const { db } = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log, onCrash })
const bus = await createBus({ redisUrl: undefined, secrets, log })
const http = await createHttp({
  env,
  secrets,
  countersKey: Buffer.alloc(32),
  bus,
  log,
  version: '0.0.0',
  webRoot: `${env.dataDir}/no-web`,
  now: Date.now,
})
registerPeople(
  http,
  async (token) => ({ userId: token, sessionId: token, authenticatedAt: Date.now() }),
  async (token) => token,
)
const methods = createPaymentMethods(env, createEgress(), Date.now)
const ledger = new LedgerService({ db, now: Date.now })
const payments = new PaymentService({
  db,
  ledger,
  creditEvents: new CreditEvents({ bus, log }),
  methods,
  log,
  now: Date.now,
})
const mail = createMail({ smtpUrl: env.smtpUrl, mailFrom: env.mailFrom, dataDir: env.dataDir, log })
const mails = new PaymentMails({ db, mail, publicUrl: env.publicUrl, supportEmail: undefined, log, now: Date.now })
const reconciliation = new ReconciliationService({ db, payments, methods, log, now: Date.now })
const scheduler = new Scheduler({ db, node: randomUUID(), log, now: Date.now })
// Not started: the node would also die at a statement of a periodic job.
registerPaymentRoutes(http, { db, payments, mails, reconciliation, methods, scheduler })
await http.listen({ port: 0, host: '127.0.0.1' })
isArmed = true
const address = http.server.address()
if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
