// A node of its own for the tests that kill one: what sells credits, on the database and providers of the environment. Whoever shows a person's id is
// that person. Prints its address, and kills itself before, during or after a step: DIE_AT is a PaymentDeath.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../db/client'
import { readEnv } from '../env'
import { CreditNews } from '../features/billing/credit-news-service'
import { LedgerService } from '../features/billing/ledger-service'
import { PaymentMails } from '../features/billing/payment-mails'
import { registerPayments } from '../features/billing/payment-routes'
import { PaymentService } from '../features/billing/payment-service'
import { paymentWays } from '../features/billing/payment-ways'
import { ReconciliationService } from '../features/billing/reconciliation-service'
import { createHttp } from '../plugins/http'
import { createLogger } from '../plugins/logging'
import { registerPeople } from '../plugins/people'
import { createBus } from '../providers/create-bus'
import { createEgress } from '../providers/egress'
import { createMail } from '../providers/mail'
import { Secrets } from '../secrets'
import { paymentSteps } from './payment-deaths'

const [, moment, step = ''] = /^(\w+) (.+)$/.exec(process.env.DIE_AT ?? '') ?? []
const statementOfStep = Object.entries(paymentSteps).find(([name]) => name === step)?.[1]
let isArmed = false

const die = (): void => void process.kill(process.pid, 'SIGKILL')
const send = pg.Client.prototype.query as (...given: unknown[]) => unknown
const watched = function (this: pg.Client, ...given: [string | pg.QueryConfig, ...unknown[]]): unknown {
  const [statement] = given
  const text = typeof statement === 'string' ? statement : statement.text
  if (!isArmed || statementOfStep === undefined || !text.includes(statementOfStep)) return Reflect.apply(send, this, given)
  if (moment === 'before') die()
  const answered = given.at(-1)
  if (moment === 'after' && typeof answered === 'function') given.splice(-1, 1, die)
  const result = Reflect.apply(send, this, given)
  if (moment === 'during') die()
  return result instanceof Promise ? result.then(die) : result
}
pg.Client.prototype.query = watched as typeof pg.Client.prototype.query

const env = readEnv(process.env)
const log = createLogger({ level: 'fatal' })
const secrets = new Secrets([randomUUID()])
const onCrash = (error: Error): void => {
  throw error
}
const { db } = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log, onCrash })
const bus = await createBus({ redisUrl: undefined, secrets, log })
const http = await createHttp({ env, secrets, countersKey: Buffer.alloc(32), bus, log, version: '0.0.0', webRoot: `${env.dataDir}/no-web`, now: Date.now })
registerPeople(
  http,
  async (token) => ({ userId: token, sessionId: token, authenticatedAt: Date.now() }),
  async (token) => token,
)
const ways = paymentWays(env, createEgress(), Date.now)
const ledger = new LedgerService({ db, now: Date.now })
const payments = new PaymentService({ db, ledger, news: new CreditNews({ bus, log }), ways, log, now: Date.now })
const mail = createMail({ smtpUrl: env.smtpUrl, mailFrom: env.mailFrom, dataDir: env.dataDir, log })
const mails = new PaymentMails({ db, mail, publicUrl: env.publicUrl, supportEmail: undefined, log, now: Date.now })
const reconciliation = new ReconciliationService({ db, payments, ways, log, now: Date.now })
registerPayments(http, { db, payments, mails, reconciliation, ways })
await http.listen({ port: 0, host: '127.0.0.1' })
isArmed = true
const address = http.server.address()
if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
