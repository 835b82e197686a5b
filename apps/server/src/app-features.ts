import { serverLimits } from '@parley/contract/limits/server'
import { toNumber } from '@parley/contract/money'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ProductAgent } from './content/product-agents'
import type { DatabaseKind, Db } from './db/client'
import type { Scheduler } from './db/scheduler'
import { type Env, isLoopback } from './env'
import { AdminService } from './features/admin/admin-service'
import { registerAgentPage } from './features/agents/agent-page-routes'
import { registerAgentRoutes } from './features/agents/agent-routes'
import { AgentService } from './features/agents/agent-service'
import { PictureService } from './features/agents/picture-service'
import { seedProductAgents } from './features/agents/product-service'
import { AgentBriefs } from './features/agents/public/agent-briefs'
import { registerSuiAgentRoutes } from './features/agents/sui-agent-routes'
import { SuiAgentService } from './features/agents/sui-agent-service'
import { registerSuiAnchorRoutes } from './features/agents/sui-anchor-routes'
import { SuiAnchorService } from './features/agents/sui-anchor-service'
import { SuiPublishService } from './features/agents/sui-publish-service'
import { registerAuth } from './features/auth/register-auth'
import { registerChannelRoutes } from './features/channels/channel-routes'
import { ChannelService } from './features/channels/channel-service'
import { ExportService } from './features/channels/export-service'
import { ChannelEvents } from './features/channels/public/channel-events'
import { registerTopicRoutes } from './features/channels/topic-routes'
import { TopicService } from './features/channels/topic-service'
import { type Chat, registerChat } from './features/chat/chat-routes'
import { registerConfigRoutes } from './features/config/config-routes'
import { registerCreditRoutes } from './features/credits/credit-routes'
import { HoldService } from './features/credits/hold-service'
import { ChargeService } from './features/credits/public/charges'
import { CreditEvents } from './features/credits/public/credit-events'
import { LedgerService } from './features/credits/public/ledger'
import { Tariffs } from './features/credits/public/tariffs'
import { createSignupCredits } from './features/credits/signup-credits'
import { BranchCopyService } from './features/messages/branch-copy'
import { registerBranchRoutes } from './features/messages/branch-routes'
import { BranchService } from './features/messages/branch-service'
import { ForwardService } from './features/messages/forward-service'
import { ImportService } from './features/messages/import-service'
import { registerMessageRoutes } from './features/messages/message-routes'
import { MessageService } from './features/messages/message-service'
import { registerRunBackfill } from './features/messages/run-backfill'
import { registerSummaryRoutes } from './features/messages/summary-routes'
import { SummaryService } from './features/messages/summary-service'
import { registerTreeRoutes } from './features/messages/tree-routes'
import { TreeService } from './features/messages/tree-service'
import { registerModelRoutes } from './features/models/model-routes'
import type { PaymentMails } from './features/payments/payment-mails'
import { createPaymentMethods } from './features/payments/payment-methods'
import { registerPaymentRoutes } from './features/payments/payment-routes'
import { PaymentService } from './features/payments/payment-service'
import { ReconciliationService } from './features/payments/public/reconciliation'
import { WebSearch } from './features/search/public/web-search'
import { ConversationService } from './features/sharing/conversation-service'
import { InvitationService } from './features/sharing/invitation-service'
import { registerMemberRoutes } from './features/sharing/member-routes'
import { MemberService } from './features/sharing/member-service'
import { registerReceiptRoutes } from './features/sharing/receipt-routes'
import { ReceiptService } from './features/sharing/receipt-service'
import { AccountFiles } from './features/sources/account-files'
import type { FileJoiner } from './features/sources/file-joiner'
import { AgentKnowledge } from './features/sources/public/agent-knowledge'
import { ChannelSources } from './features/sources/public/channel-sources'
import { PageReader } from './features/sources/public/page-reader'
import { SourceCopies } from './features/sources/public/source-copies'
import type { ReaderOptions } from './features/sources/reader-process'
import { registerSources } from './features/sources/register-sources'
import { VectorSearch } from './features/sources/vector-search'
import { registerTicketRoutes } from './features/tickets/ticket-routes'
import { userIdOf } from './plugins/people'
import type { Bus } from './providers/bus/bus'
import type { Egress } from './providers/egress'
import { createEmbedder, type Embedder } from './providers/embeddings/embedder'
import type { FileStore } from './providers/files/file-store'
import { createImageMaker } from './providers/images'
import type { LlmProvider } from './providers/llm'
import { openRouter } from './providers/llm/create-llm'
import type { Mail } from './providers/mail'
import { PdfRenderer } from './providers/pdf/pdf-renderer'
import { createSearch } from './providers/search/create-search'
import { createSuiNode } from './providers/sui-node'
import type { Secrets } from './secrets'

/** What the features share. */
type Services = {
  env: Env
  http: FastifyInstance
  db: Db
  databaseKind: DatabaseKind
  nodeId: string
  scheduler: Scheduler
  bus: Bus
  mail: Mail
  egress: Egress
  files: FileStore
  joiner: FileJoiner
  reader: Partial<ReaderOptions> | undefined
  llm: LlmProvider
  secrets: Secrets
  countersKey: Buffer
  filesKey: Buffer
  signupKeys: readonly [Buffer, ...Buffer[]]
  paymentMails: PaymentMails
  productAgents: readonly ProductAgent[]
  version: string
  log: FastifyBaseLogger
  now: () => number
}

export type Features = { chat: Chat; tariffs: Tariffs; admin: AdminService }

/** Creates the services of all features, connects them, and mounts their routes. */
export async function registerFeatures(services: Services): Promise<Features> {
  const { http, db, scheduler, bus, log, now, env, llm, secrets, countersKey } = services
  const ledger = new LedgerService({ db, now })
  const sessions = registerAuth(http, {
    ...services,
    onAccountRemoved: async (subject, { keepsAgents }) => {
      await chat.forget(subject)
      const userId = userIdOf(subject)
      if (userId !== undefined) await agents.forget(userId, { keepsPublic: keepsAgents })
    },
    beforeSession: createSignupCredits({
      db,
      ledger,
      amount: env.signupCredits,
      keys: services.signupKeys,
      isLocal: isLoopback(env.host),
      log,
    }),
  })
  const anonymousDailyMessages =
    env.anonymousDailyMessages ?? (llm.kind === 'gateway' ? serverLimits.anonymous.paidGatewayDailyMessages : null)
  const creditEvents = new CreditEvents({ bus, log })
  const { charges, tariffs } = registerCredits(services, { ledger, creditEvents })
  const { payments, reconciliation } = registerPayments(services, { ledger, creditEvents })
  const webSearch = createWebSearch(services, tariffs)
  const embedding = createEmbedding(services)
  registerConfigRoutes(http, {
    llm,
    payments: payments.offer(),
    signInMethods: ['email', ...(env.google.clientId ? (['google'] as const) : []), 'ethereum', 'solana', 'sui'],
    isEmailConfirmationRequired: env.isEmailConfirmationRequired,
    version: services.version,
    contact: env.contact,
    anonymousDailyMessages,
    creditMarkup: env.creditMarkup.text,
    webSearch: () => webSearch.publicOffer(),
    suiAnchoring: env.suiAnchoring && { package: env.suiAnchoring.package, network: env.suiAnchoring.network },
    vectors: embedding && { model: embedding.model },
  })
  registerTicketRoutes(http, { db, scheduler, now })
  registerModelRoutes(http, { llm })
  const { agents, agentBriefs, pictures } = await registerAgents(services, embedding)
  const channelEvents = new ChannelEvents({ db, bus, log })
  const accountFiles = new AccountFiles({ ...services, store: services.files, serverKey: services.filesKey })
  const channelSources = new ChannelSources({ db, files: accountFiles, vectors: embedding?.search, log })
  const chat = await registerChat(http, {
    ...{ db, scheduler, channelEvents, bus, llm, log, secrets, countersKey, sessions, charges, tariffs, creditEvents },
    webSearch,
    nodeId: services.nodeId,
    pictures,
    anonymousDailyMessages,
    fairUse: env.fairUse,
    rateLimitScale: env.rateLimitScale,
    agents: agentBriefs,
    sources: [(asked) => channelSources.find(asked)],
    creditsOf: async (userId) => toNumber(await ledger.balance(userId)),
    isOnlyNode: services.databaseKind === 'pglite',
    now,
  })
  await registerChannels(services, { channelEvents, chat, agentBriefs, accountFiles, embedding })
  const admin = new AdminService({ db, bus, ledger, creditEvents, reconciliation, sessions, reachesClients: true, now })
  return { chat, tariffs, admin }
}

function createWebSearch({ env, egress, reader, llm, log, now }: Services, tariffs: Tariffs): WebSearch {
  const searching = createSearch({ search: env.search, egress })
  const pages = new PageReader({ publicWeb: egress.publicWeb, reader, now })
  return new WebSearch({ searching, llm, pages, priceOf: (cost) => tariffs.priceOf(cost), log })
}

type Credits = { ledger: LedgerService; creditEvents: CreditEvents }

function registerCredits({ http, db, scheduler, env, llm, log, now }: Services, { ledger, creditEvents }: Credits) {
  const holds = new HoldService({ db, now })
  registerCreditRoutes(http, { db, ledger, holds, scheduler, now })
  const markup = env.creditMarkup.value
  return {
    charges: new ChargeService({ db, holds, creditEvents, markup }),
    tariffs: new Tariffs({ db, llm, markup, allowsUnpriced: env.allowsUnpricedModels, log, now }),
  }
}

function registerPayments(services: Services, { ledger, creditEvents }: Credits) {
  const { http, db, scheduler, env, egress, paymentMails: mails, log, now } = services
  const methods = createPaymentMethods(env, egress, now)
  const onCredited = (): void => mails.sendSoon()
  const payments = new PaymentService({ db, ledger, creditEvents, methods, log, onCredited, now })
  const reconciliation = new ReconciliationService({ db, payments, methods, log, now })
  registerPaymentRoutes(http, { db, payments, mails, reconciliation, methods, scheduler })
  return { payments, reconciliation }
}

type Embedding = ReturnType<typeof createEmbedding>

/** Vectors where the operator names a model and something that has it. */
function createEmbedding({ db, env, egress, log, now }: Services) {
  const gateway = gatewayOf(env)
  const { model, baseUrl = gateway, apiKey = env.embedding?.baseUrl ? undefined : env.llm.apiKey } = env.embedding ?? {}
  if (!model || !baseUrl) return undefined
  const embedder: Embedder = createEmbedder({ baseUrl, apiKey, model, egress })
  return { model, embedder, search: new VectorSearch({ db, embedder, log, now }), isOfGateway: baseUrl === gateway }
}

const gatewayOf = ({ llm }: Env): string | undefined =>
  llm.baseUrl ?? (llm.apiKey === undefined ? undefined : openRouter)

async function registerAgents({ http, db, bus, env, egress, productAgents, log, now }: Services, embedding: Embedding) {
  await seedProductAgents(db, productAgents, now)
  const { publicUrl, rateLimitScale, suiAnchoring, imageModel: model } = env
  const [baseUrl, { apiKey }] = [gatewayOf(env), env.llm]
  const images = baseUrl && model ? createImageMaker({ baseUrl, apiKey, model, egress }) : undefined
  const pictures = new PictureService({ db, bus, log, images, publicUrl, rateLimitScale, now })
  const agents = new AgentService({ db, pictures, now })
  await registerAgentRoutes(http, agents, pictures)
  const domain = new URL(publicUrl).host
  const suiAgents = new SuiAgentService({ db, agents, pictures })
  const publishing = new SuiPublishService({ db, agents, suiAgents, pictures, domain, now })
  await registerSuiAgentRoutes(http, { agents: suiAgents, publishing })
  const chain = suiAnchoring && {
    node: createSuiNode({ egress, rpcUrl: suiAnchoring.rpcUrl }),
    package: suiAnchoring.package,
  }
  const anchors = new SuiAnchorService({ db, agents, chain })
  await anchors.deleteOtherPackages()
  registerSuiAnchorRoutes(http, anchors)
  registerAgentPage(http, agents, { publicUrl })
  // Questions of devices ask agents, too: they go to whoever answers them anyway, and to no other service.
  const vectors = embedding?.isOfGateway ? embedding.search : undefined
  return { agents, agentBriefs: new AgentBriefs({ db, knowledge: new AgentKnowledge({ db, vectors }) }), pictures }
}

type ChannelDeps = {
  channelEvents: ChannelEvents
  chat: Chat
  agentBriefs: AgentBriefs
  accountFiles: AccountFiles
  embedding: Embedding
}

async function registerChannels(
  services: Services,
  { channelEvents, chat, agentBriefs, accountFiles, embedding }: ChannelDeps,
): Promise<void> {
  const { http, db, scheduler, env, now } = services
  const deps = { db, events: channelEvents, stopAnswers: chat.stopAnswers, now }
  const channels = new ChannelService(deps)
  registerChannelRoutes(http, channels, new ExportService({ db, pdf: new PdfRenderer(), now }))
  const greetingOf: ConstructorParameters<typeof TopicService>[0]['greetingOf'] = (assistantId, userId) =>
    agentBriefs.greeting(assistantId, userId)
  registerTopicRoutes(http, new TopicService({ db, greetingOf, now }))
  registerMessageRoutes(http, {
    db,
    messages: new MessageService(deps),
    imports: new ImportService(deps),
    forwards: new ForwardService(deps),
  })
  const channelsIn = (tx: Db): ChannelService => new ChannelService({ ...deps, db: tx })
  registerBranchRoutes(http, {
    branches: new BranchService(deps),
    copies: new BranchCopyService({ ...deps, channelsIn, sources: new SourceCopies({ db, files: accountFiles, now }) }),
  })
  registerTreeRoutes(http, new TreeService(deps))
  registerSummaryRoutes(http, new SummaryService({ db, events: channelEvents, now }))
  registerRunBackfill({ db, scheduler, now })
  registerReceiptRoutes(http, {
    receipts: new ReceiptService(deps),
    conversations: new ConversationService({ db }),
  })
  registerMemberRoutes(http, {
    members: new MemberService(deps),
    invitations: new InvitationService({ ...deps, publicUrl: env.publicUrl }),
    channelOf: (request) => channels.get(request),
    scheduler,
  })
  await registerSources(http, {
    ...services,
    store: services.files,
    files: accountFiles,
    publicWeb: services.egress.publicWeb,
    events: channelEvents,
    embedder: embedding?.embedder,
    createChannel: (userId) => channels.create(userId, {}),
    getChannel: (request) => channels.get(request),
  })
}
