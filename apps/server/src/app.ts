import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { registerFeatures } from './app-features'
import { loadAuthSecrets } from './auth-secret'
import { type ProductAgent, readProductAgents } from './content/product-agents'
import { type Database, type DatabaseKind, openDatabase } from './db/client'
import { registerJobMetrics } from './db/job-metrics'
import { Scheduler } from './db/scheduler'
import { loadServerKey } from './db/server-keys'
import type { Env } from './env'
import type { AdminResult } from './features/admin/admin-service'
import { registerHealthRoutes } from './features/health/health-routes'
import { PaymentMails } from './features/payments/payment-mails'
import { FileJoiner, type JoinerOptions } from './features/sources/file-joiner'
import type { ReaderOptions } from './features/sources/reader-process'
import { createHttp } from './plugins/http'
import { createLogger } from './plugins/logging'
import type { Bus } from './providers/bus/bus'
import { createBus } from './providers/bus/create-bus'
import { createEgress, type PublicWeb } from './providers/egress'
import { createFileStore } from './providers/files/create-file-store'
import type { LlmProvider } from './providers/llm'
import { createLlm } from './providers/llm/create-llm'
import { createMail } from './providers/mail'
import { Secrets } from './secrets'

export type App = {
  http: FastifyInstance
  log: FastifyBaseLogger
  databaseKind: DatabaseKind
  models: LlmProvider['kind']
  /** Runs a command of the operator. */
  admin(args: string[]): Promise<AdminResult>
  /** Warns the operator if no answer can be charged, because no listed model has a price. */
  checkPrices(): Promise<void>
  /** Waits for running answers, for `serverLimits.chat.drainMs` at most. New connections are refused from now on. */
  drain(): Promise<void>
  /** Closes everything that this app opened itself. */
  close(): Promise<void>
}

/** What tests replace. The caller closes what it passes in. */
export type Overrides = {
  database: Database
  bus: Bus
  llm: LlmProvider
  log: FastifyBaseLogger
  now: () => number
  webRoot: string
  /** What fetches pages of the web. */
  publicWeb: PublicWeb
  /** Of the process that reads files. */
  reader: Partial<ReaderOptions>
  /** Of the thread that makes uploads whole. */
  joiner: Partial<JoinerOptions>
  /** The team's agents. */
  productAgents: readonly ProductAgent[]
  /** Called when the process cannot continue. */
  onFatal: (error: Error) => void
}

const closeMs = 5_000

// Both the source and the bundle sit one folder below apps/server.
const besideServer = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export async function buildApp({ env, ...given }: { env: Env } & Partial<Overrides>): Promise<App> {
  const log = given.log ?? createLogger({ level: env.logLevel })
  const now = given.now ?? Date.now
  const { version } = z.parse(
    z.object({ version: z.string() }),
    JSON.parse(readFileSync(besideServer('package.json'), 'utf8')),
  )
  const productAgents = given.productAgents ?? readProductAgents()
  const secrets = new Secrets(loadAuthSecrets(env))
  const opened: (() => Promise<void>)[] = []
  const closeOpened = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }

  try {
    const onCrash = given.onFatal ?? ((error: Error) => log.fatal({ err: error }, 'the embedded database crashed'))
    const database = given.database ?? (await openDatabase({ ...env, log, onCrash }))
    if (!given.database) opened.push(database.close)
    const bus = given.bus ?? (await createBus({ redisUrl: env.redisUrl, secrets, log }))
    if (!given.bus) opened.push(() => bus.close())
    const mail = createMail({ smtpUrl: env.smtpUrl, mailFrom: env.mailFrom, dataDir: env.dataDir, log })
    opened.push(async () => mail.close())
    const paymentMails = new PaymentMails({
      db: database.db,
      mail,
      publicUrl: env.publicUrl,
      supportEmail: env.contact.supportEmail,
      log,
      now,
    })
    opened.push(() => paymentMails.ended())
    const earlierSignupKeys = secrets.keys('signup-credits')
    const signupKey = await loadServerKey(database.db, {
      secrets,
      name: 'signup-credits',
      makeFirst: () => earlierSignupKeys[0],
      log,
    })
    const countersKey = await loadServerKey(database.db, {
      secrets,
      name: 'counters',
      makeFirst: () => randomBytes(32),
      log,
    })
    const filesKey = await loadServerKey(database.db, {
      secrets,
      name: 'files',
      makeFirst: () => randomBytes(32),
      log,
    })
    const own = createEgress({ allowedHosts: env.fetchAllowedHosts })
    const egress = { ...own, publicWeb: given.publicWeb ?? own.publicWeb }
    const llm = given.llm ?? (await createLlm({ ...env.llm, egress, log }))
    const webRoot = given.webRoot ?? env.webDir ?? besideServer('../web/dist')
    const nodeId = randomUUID()
    const scheduler = new Scheduler({ db: database.db, node: nodeId, log, now })
    opened.push(() => scheduler.stop())
    const joiner = new FileJoiner({ store: { dataDir: env.dataDir, s3: env.s3 }, log }, given.joiner)
    // After the requests, which may finish.
    opened.push(() => joiner.close())
    const http = await createHttp({ env, secrets, countersKey, bus, log, version, webRoot, now })
    opened.push(async () => {
      // A client that does not read its response must not delay the end.
      const timer = setTimeout(() => http.server.closeAllConnections(), closeMs)
      await http.close().finally(() => clearTimeout(timer))
    })
    let isDraining = false
    const { db } = database
    registerHealthRoutes(http, {
      isDatabaseUp: database.isUp,
      isBusUp: () => bus.healthy(),
      isDraining: () => isDraining,
    })
    const { chat, tariffs, admin } = await registerFeatures({
      env,
      http,
      db,
      nodeId,
      scheduler,
      bus,
      mail,
      egress,
      files: createFileStore({ ...env, egress, now }),
      joiner,
      reader: given.reader,
      llm,
      secrets,
      countersKey,
      filesKey,
      paymentMails,
      productAgents,
      version,
      log,
      now,
      databaseKind: database.kind,
      signupKeys: [signupKey, ...earlierSignupKeys],
    })
    registerJobMetrics(http, { db, scheduler, now })
    scheduler.start()

    return {
      http,
      log,
      databaseKind: database.kind,
      models: llm.kind,
      admin: (args) => admin.run(args),
      checkPrices: () => tariffs.warnOfNoPrices(),
      async drain() {
        isDraining = true
        http.server.close()
        http.server.closeIdleConnections()
        await Promise.race([
          chat.drain(),
          new Promise((resolve) => setTimeout(resolve, serverLimits.chat.drainMs).unref()),
        ])
      },
      close: closeOpened,
    }
  } catch (error) {
    await closeOpened()
    throw error
  }
}
