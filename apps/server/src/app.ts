import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limits } from '@parley/contract/limits'
import { toNumber } from '@parley/contract/money'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { loadAuthSecrets } from './auth-secret'
import { type Database, type DatabaseKind, openDatabase } from './db/client'
import { loadServerKey } from './db/server-keys'
import { type Env, isLoopback } from './env'
import { type AdminAnswer, AdminService } from './features/admin/admin-service'
import { AgentChatService } from './features/agents/agent-chat-service'
import { registerAgentPage } from './features/agents/agent-page-routes'
import { registerAgentRoutes } from './features/agents/agent-routes'
import { AgentService } from './features/agents/agent-service'
import { PictureService } from './features/agents/picture-service'
import { productAgents } from './features/agents/product'
import type { ProductAgent } from './features/agents/product/product-agent'
import { seedProductAgents } from './features/agents/product-service'
import { registerSuiAgentRoutes } from './features/agents/sui-agent-routes'
import { SuiAgentService } from './features/agents/sui-agent-service'
import { registerSuiAnchorRoutes } from './features/agents/sui-anchor-routes'
import { SuiAnchorService } from './features/agents/sui-anchor-service'
import { registerAuth } from './features/auth/register-auth'
import { registerBilling } from './features/billing/billing-routes'
import { ChargeService } from './features/billing/charge-service'
import { CreditNews } from './features/billing/credit-news-service'
import { LedgerService } from './features/billing/ledger-service'
import { PaymentMails } from './features/billing/payment-mails'
import { registerPayments } from './features/billing/payment-routes'
import { PaymentService } from './features/billing/payment-service'
import { paymentWays } from './features/billing/payment-ways'
import { ReconciliationService } from './features/billing/reconciliation-service'
import { createSignupCredits } from './features/billing/signup-credits'
import { ChannelNews } from './features/channels/channel-news-service'
import { registerChannelRoutes } from './features/channels/channel-routes'
import { ChannelService } from './features/channels/channel-service'
import { ExportService } from './features/channels/export-service'
import { registerMemberRoutes } from './features/channels/member-routes'
import { MemberService } from './features/channels/member-service'
import { registerReceiptRoutes } from './features/channels/receipt-routes'
import { ReceiptService } from './features/channels/receipt-service'
import { registerTopicRoutes } from './features/channels/topic-routes'
import { TopicService } from './features/channels/topic-service'
import { registerChat } from './features/chat/chat-routes'
import { registerConfigRoutes } from './features/config/config-routes'
import { registerHealthRoutes } from './features/health/health-routes'
import { registerModelRoutes } from './features/models/model-routes'
import { registerTicketRoutes } from './features/tickets/ticket-routes'
import { createHttp } from './plugins/http'
import { createLogger } from './plugins/logging'
import { userIdOf } from './plugins/people'
import type { Bus } from './providers/bus'
import { createBus } from './providers/create-bus'
import { createEgress } from './providers/egress'
import { createImageMaker } from './providers/images'
import type { LlmProvider } from './providers/llm'
import { createLlm, openRouter } from './providers/llm/create-llm'
import { createMail } from './providers/mail'
import { PdfRenderer } from './providers/pdf/pdf-renderer'
import { createSuiNode } from './providers/sui-node'
import { Secrets } from './secrets'

export type App = {
  http: FastifyInstance
  log: FastifyBaseLogger
  databaseKind: DatabaseKind
  models: LlmProvider['kind']
  /** Runs a command of the operator. */
  admin(args: string[]): Promise<AdminAnswer>
  /** Tells the operator when nothing can be sold because the gateway tells no prices. */
  checkPrices(): Promise<void>
  /** Lets answers under way end, for `limits.chat.drainMs` at most. New connections are refused from then on. */
  drain(): Promise<void>
  /** Closes everything that this app opened itself. */
  close(): Promise<void>
}

/** What tests put in place of the real thing. Whoever hands it in closes it. */
export type Overrides = {
  database: Database
  bus: Bus
  llm: LlmProvider
  log: FastifyBaseLogger
  now: () => number
  webRoot: string
  /** The team's agents. */
  productAgents: readonly ProductAgent[]
  /** Called when the process cannot go on. */
  onFatal: (error: Error) => void
}

const closeMs = 5_000

// Both the source and the bundle sit one folder below apps/server.
const besideServer = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export async function buildApp({ env, ...given }: { env: Env } & Partial<Overrides>): Promise<App> {
  const log = given.log ?? createLogger({ level: env.logLevel })
  const now = given.now ?? Date.now
  const { version } = z.parse(z.object({ version: z.string() }), JSON.parse(readFileSync(besideServer('package.json'), 'utf8')))
  const secrets = new Secrets(loadAuthSecrets(env))
  const opened: (() => Promise<void>)[] = []
  const closeOpened = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }

  try {
    const onCrash = given.onFatal ?? ((error: Error) => log.fatal({ err: error }, 'the embedded database crashed'))
    const database = given.database ?? (await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, migrates: env.migrates, log, onCrash }))
    if (!given.database) opened.push(database.close)
    const bus = given.bus ?? (await createBus({ redisUrl: env.redisUrl, secrets, log }))
    if (!given.bus) opened.push(() => bus.close())
    const mail = createMail({ smtpUrl: env.smtpUrl, mailFrom: env.mailFrom, dataDir: env.dataDir, log })
    opened.push(async () => mail.close())
    const paymentMails = new PaymentMails({ db: database.db, mail, publicUrl: env.publicUrl, supportEmail: env.contact.supportEmail, log, now })
    opened.push(() => paymentMails.ended())
    const earlierSignupKeys = secrets.keys('signup-credits')
    const signupKey = await loadServerKey(database.db, { secrets, name: 'signup-credits', makeFirst: () => earlierSignupKeys[0], log })
    const countersKey = await loadServerKey(database.db, { secrets, name: 'counters', makeFirst: () => randomBytes(32), log })
    const egress = createEgress()
    const llm = given.llm ?? (await createLlm({ ...env.llm, egress, log }))
    const anonymousDailyMessages = env.anonymousDailyMessages ?? (llm.kind === 'gateway' ? limits.anonymous.paidGatewayDailyMessages : null)

    const webRoot = given.webRoot ?? env.webDir ?? besideServer('../web/dist')
    const http = await createHttp({ env, secrets, countersKey, bus, log, version, webRoot, now })
    opened.push(async () => {
      // A download that nobody reads must not hold up the end.
      const cut = setTimeout(() => http.server.closeAllConnections(), closeMs)
      await http.close().finally(() => clearTimeout(cut))
    })
    let isDraining = false
    const { db } = database
    registerHealthRoutes(http, { isDatabaseUp: database.isUp, isBusUp: () => bus.healthy(), isDraining: () => isDraining })
    const onAccountRemoved = async (subject: string, { keepsAgents }: { keepsAgents: boolean }): Promise<void> => {
      await chat.forget(subject)
      const userId = userIdOf(subject)
      if (userId !== undefined) await agents.forget(userId, { keepsPublic: keepsAgents })
    }
    const ledger = new LedgerService({ db, now })
    const onOpened = createSignupCredits({ db, ledger, amount: env.signupCredits, keys: [signupKey, ...earlierSignupKeys], isLocal: isLoopback(env.host), log })
    const sessions = registerAuth(http, { env, secrets, countersKey, db, bus, egress, mail, onAccountRemoved, onOpened, now })
    const creditNews = new CreditNews({ bus, log })
    const charges = new ChargeService({
      ...{ db, ledger, llm, news: creditNews, log, now },
      ...{ markup: env.creditMarkup.value, allowsUnpriced: env.allowsUnpricedModels },
    })
    const ways = paymentWays(env, egress, now)
    const payments = new PaymentService({ db, ledger, news: creditNews, ways, log, onCredited: () => paymentMails.sendSoon(), now })
    registerConfigRoutes(http, {
      llm,
      payments: payments.offer(),
      signInMethods: ['email', ...(env.google.clientId ? (['google'] as const) : []), 'ethereum', 'solana', 'sui'],
      isEmailConfirmationRequired: env.isEmailConfirmationRequired,
      version,
      contact: env.contact,
      anonymousDailyMessages,
      creditMarkup: env.creditMarkup.text,
      suiAnchoring: env.suiAnchoring && { package: env.suiAnchoring.package, network: env.suiAnchoring.network },
    })
    registerTicketRoutes(http, { db, now })
    registerModelRoutes(http, { llm })
    registerBilling(http, { db, ledger, now })
    const reconciliation = new ReconciliationService({ db, payments, ways, log, now })
    registerPayments(http, { db, payments, mails: paymentMails, reconciliation, ways })
    await seedProductAgents(db, given.productAgents ?? productAgents, now)
    const { baseUrl = env.llm.apiKey === undefined ? undefined : openRouter, apiKey } = env.llm
    const images = baseUrl && env.imageModel ? createImageMaker({ baseUrl, apiKey, model: env.imageModel, egress }) : undefined
    const pictures = new PictureService({ db, bus, log, images, publicUrl: env.publicUrl, rateLimitScale: env.rateLimitScale, now })
    const agents = new AgentService({ db, pictures, now })
    const agentChats = new AgentChatService({ db })
    await registerAgentRoutes(http, agents, pictures)
    const domain = new URL(env.publicUrl).host
    await registerSuiAgentRoutes(http, new SuiAgentService({ db, agents, pictures, domain, now }))
    const { suiAnchoring } = env
    const chain = suiAnchoring && { node: createSuiNode({ egress, rpcUrl: suiAnchoring.rpcUrl }), package: suiAnchoring.package }
    const anchors = new SuiAnchorService({ db, agents, chain })
    await anchors.forgetOthers()
    registerSuiAnchorRoutes(http, anchors)
    registerAgentPage(http, agents, { publicUrl: env.publicUrl })
    const news = new ChannelNews({ db, bus, log })
    const chat = await registerChat(http, {
      db,
      news,
      bus,
      llm,
      log,
      nodeId: randomUUID(),
      secrets,
      countersKey,
      anonymousDailyMessages,
      fairUse: env.fairUse,
      rateLimitScale: env.rateLimitScale,
      sessions,
      agents: agentChats,
      charges,
      creditNews,
      creditsOf: async (userId) => toNumber(await ledger.balance(userId)),
      pictures,
      isOnlyNode: database.kind === 'pglite',
      now,
    })
    const channels = new ChannelService({ db, news, stopAnswers: chat.stopAnswers, now })
    registerChannelRoutes(http, channels, new ExportService({ db, pdf: new PdfRenderer(), now }))
    registerTopicRoutes(http, new TopicService({ db, greetingOf: (assistantId, userId) => agentChats.greeting(assistantId, userId), now }))
    registerReceiptRoutes(http, { channels, receipts: new ReceiptService({ db, news, stopAnswers: chat.stopAnswers, now }) })
    registerMemberRoutes(http, { channels, members: new MemberService({ db, news, publicUrl: env.publicUrl, stopAnswers: chat.stopAnswers, now }) })

    const admin = new AdminService({ db, bus, ledger, creditNews, reconciliation, sessions, isHeard: true, now })

    return {
      http,
      log,
      databaseKind: database.kind,
      models: llm.kind,
      admin: (args) => admin.run(args),
      checkPrices: () => charges.warnOfNoPrices(),
      async drain() {
        isDraining = true
        http.server.close()
        http.server.closeIdleConnections()
        await Promise.race([chat.drain(), new Promise((resolve) => setTimeout(resolve, limits.chat.drainMs).unref())])
      },
      close: closeOpened,
    }
  } catch (error) {
    await closeOpened()
    throw error
  }
}
