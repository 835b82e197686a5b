import websocket from '@fastify/websocket'
import { closeCode, optionalFrames } from '@parley/contract/chat-protocol'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { addressHasher } from '../../plugins/address'
import type { Bus } from '../../providers/bus/bus'
import type { LlmProvider } from '../../providers/llm'
import type { Secrets } from '../../secrets'
import type { AgentBriefs } from '../agents/public/agent-briefs'
import type { PictureMaker } from '../agents/public/picture-maker'
import { type Sessions, sessionsEndedTopic } from '../auth/public/sessions'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { ChargeService } from '../credits/public/charges'
import type { CreditEvents } from '../credits/public/credit-events'
import type { Tariffs } from '../credits/public/tariffs'
import type { RunningAnswer } from '../messages/public/running-answer-store'
import type { WebSearch } from '../search/public/web-search'
import { AnswerService } from './answer-service'
import { onStop } from './answer-stop'
import { chatMetrics } from './chat-metrics'
import { ChatSocket } from './chat-socket'
import { registerChatStream } from './chat-stream-routes'
import { registerContextSizes } from './context-size-routes'
import { CostInquiry } from './cost-inquiry'
import { sendCreditUpdates } from './credit-updates'
import type { FairUse } from './fair-use'
import type { OptionalFrame } from './frames'
import { GenerationRunner } from './generation-runner'
import { deleteOldGenerations } from './generation-store'
import { type OpenSocket, OpenSockets } from './open-sockets'
import { onBroadcast } from './public/broadcast'
import { QuestionService } from './question-service'
import type { SourceProvider } from './question-sources'
import { createReaper } from './reaper'
import { createSocketAdmission } from './socket-admission'
import { SocketConnection } from './socket-connection'
import type { Visitor } from './visitor'

export type ChatDeps = {
  db: Db
  scheduler: Scheduler
  bus: Bus
  llm: LlmProvider
  log: FastifyBaseLogger
  nodeId: string
  secrets: Secrets
  countersKey: Buffer
  /** Questions a day of an anonymous visitor; null for no limit. */
  anonymousDailyMessages: number | null
  fairUse: FairUse
  rateLimitScale: number
  sessions: Pick<Sessions, 'liveOf'>
  agents: AgentBriefs
  sources: readonly SourceProvider[]
  charges: ChargeService
  tariffs: Tariffs
  webSearch: WebSearch
  creditEvents: CreditEvents
  /** The balance in dollars. */
  creditsOf: (userId: string) => Promise<number>
  pictures: PictureMaker
  channelEvents: ChannelEvents
  /** True with the embedded database. */
  isOnlyNode: boolean
  now: () => number
}

export type Chat = {
  /** Before an account is deleted. */
  forget(subject: string): Promise<void>
  stopAnswers(running: readonly RunningAnswer[]): Promise<void>
  /** Lets running answers end, and closes the sockets so that clients reconnect to another node. */
  drain(): Promise<void>
}

/** Mounts the chat socket and the HTTP streams, and repeats the node's work on answers. */
export async function registerChat(app: FastifyInstance, deps: ChatDeps): Promise<Chat> {
  const { db, bus, log, rateLimitScale, now } = deps
  const metrics = chatMetrics(app.metrics)
  const inquiry = new CostInquiry(deps)
  const runner = new GenerationRunner({ ...deps, metrics, requestCosts: () => inquiry.soon() })
  const questions = new QuestionService({ ...deps, runner, metrics })
  const answers = new AnswerService({ ...deps, runner })
  scheduleWork(deps, { inquiry, runner })
  const sockets = new OpenSockets()
  const unsubscribe = [
    await onStop(bus, ({ messageId, subject }) => runner.stop(messageId, subject)),
    await closeEndedSessions(deps, sockets),
    await sendChannelEvents(deps.channelEvents, sockets),
    await sendCreditUpdates({ ...deps, sockets }),
    await onBroadcast(bus, (broadcast) => {
      for (const { connection } of sockets.all())
        void connection.send(JSON.stringify({ event: 'broadcast', ...broadcast }))
    }),
  ]
  const hashAddress = addressHasher(deps.countersKey)
  const admit = createSocketAdmission(app, deps)
  const visitors = new WeakMap<FastifyRequest, Visitor>()
  const isAllowed = async ({ sessionId }: Visitor): Promise<boolean> =>
    sessionId === undefined || (await deps.sessions.liveOf([sessionId])).has(sessionId)

  await app.register(websocket, { options: { maxPayload: 4 * limits.chat.maxFrameBytes, perMessageDeflate: false } })
  const upgrade = {
    config: { rateLimit: { max: serverLimits.chat.upgradesPerMinute } },
    schema: { hide: true },
    // Before the upgrade, so that a refused client gets a plain HTTP response.
    preValidation: async (request: FastifyRequest): Promise<void> => {
      if (app.isInMaintenance) return
      visitors.set(request, { ...(await admit(request)), address: hashAddress(request.ip, now()) })
    },
  }
  app.get('/ws/chat', { websocket: true, ...upgrade }, (socket, request) => {
    if (app.isInMaintenance) return socket.close(closeCode.restart)
    const visitor = visitors.get(request)
    if (!visitor) return socket.close(closeCode.unauthenticated)
    if (sockets.countOf(visitor.subject) >= serverLimits.chat.maxSocketsPerPerson)
      return socket.close(closeCode.tooMany)
    const connection = new SocketConnection(socket)
    const shared = { questions, answers, bus, log, isAllowed, rateLimitScale }
    const chat = new ChatSocket(connection, visitor, { ...shared, knownFrames: knownFramesOf(request) })
    sockets.add(visitor.subject, { connection, chat, sessionId: visitor.sessionId })
    metrics.sockets.inc()
    connection.closed.addEventListener('abort', () => metrics.sockets.dec())
    socket.on('message', (data) => chat.receive(data))
  })

  registerChatStream(app, {
    db,
    questions,
    answers,
    bus,
    log,
    pictures: deps.pictures,
    agents: deps.agents,
    hashAddress: (address) => hashAddress(address, now()),
  })

  registerContextSizes(app, deps)

  app.addHook('onClose', async () => {
    for (const end of unsubscribe.toReversed()) await end()
    await runner.drain(0)
    await inquiry.close()
  })
  return {
    async drain() {
      await runner.drain(serverLimits.chat.drainMs - serverLimits.chat.closingMs)
      for (const { connection } of sockets.all()) connection.close(closeCode.restart)
    },
    forget: (subject) => answers.forget(subject),
    stopAnswers: (running) => answers.stopAll(running),
  }
}

/** The kinds of frames that the client names in the query `frames` of its socket, separated by commas. */
function knownFramesOf({ url }: FastifyRequest): ReadonlySet<OptionalFrame> {
  const named = new URLSearchParams(url.split('?')[1] ?? '').get('frames')?.split(',')
  return new Set(optionalFrames.filter((event) => named?.includes(event)))
}

function scheduleWork(deps: ChatDeps, { inquiry, runner }: { inquiry: CostInquiry; runner: GenerationRunner }): void {
  const { db, scheduler, now } = deps
  scheduler.every('chat.ask-costs', {
    everyMs: serverLimits.credits.sweepEveryMs,
    isDueAtStart: true,
    run: () => inquiry.ask(),
  })
  const reap = createReaper({ ...deps, activeIds: () => runner.activeIds() })
  scheduler.everyOnThisNode('chat.reap', { everyMs: serverLimits.chat.reapEveryMs, run: reap })
  void reap()
  scheduler.every('chat.forget-old', {
    everyMs: 3_600_000,
    run: async () => {
      await deleteOldGenerations(db, new Date(now() - serverLimits.chat.keepGenerationsDays * 86_400_000))
    },
  })
}

/** Closes the sockets of ended sessions on a bus event, with a regular check in case the event is lost. */
function closeEndedSessions(
  { bus, log, scheduler, sessions }: ChatDeps,
  sockets: OpenSockets,
): Promise<() => Promise<void>> {
  const closeEnded = async (open: readonly OpenSocket[]): Promise<void> => {
    const sessionIds = open.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]))
    if (sessionIds.length === 0) return
    const live = await sessions.liveOf([...new Set(sessionIds)])
    for (const { connection, sessionId } of open)
      if (sessionId !== undefined && !live.has(sessionId)) connection.close(closeCode.unauthenticated)
  }
  scheduler.everyOnThisNode('chat.sessions', {
    everyMs: serverLimits.auth.revocationCheckMs,
    run: () => closeEnded(sockets.all()),
  })
  return bus.subscribe(
    sessionsEndedTopic,
    (userId) =>
      void closeEnded(sockets.ofPerson(userId)).catch((error: unknown) =>
        log.warn({ err: error }, 'sessions could not be checked'),
      ),
  )
}

function sendChannelEvents(channelEvents: ChannelEvents, sockets: OpenSockets): Promise<() => Promise<void>> {
  return channelEvents.subscribe((event) => {
    const { channelId } = event
    for (const { chat } of event.userIds.flatMap((userId) => sockets.ofPerson(userId))) {
      switch (event.kind) {
        case 'begun':
          chat.sendAnswerStarted({ channelId, messageId: event.messageId, mId: event.mId })
          break
        case 'changed':
          chat.sendChannelChanged(channelId, event.change)
          break
        case 'received':
          chat.sendReceiptsChanged(channelId)
          break
        case 'sources':
          chat.sendSourcesChanged({
            channelId,
            ...(event.sourceId === undefined ? {} : { sourceId: event.sourceId }),
            ...(event.progress === undefined ? {} : { progress: event.progress }),
          })
          break
        case 'left':
          chat.leaveChannel(channelId)
      }
    }
  })
}
