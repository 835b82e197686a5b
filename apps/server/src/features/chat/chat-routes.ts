import websocket from '@fastify/websocket'
import { closeCode } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import { addressHasher } from '../../plugins/address'
import { subjectOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { LlmProvider } from '../../providers/llm'
import type { Secrets } from '../../secrets'
import type { AgentChatService } from '../agents/agent-chat-service'
import type { PictureService } from '../agents/picture-service'
import { type SessionService, sessionsEndedTopic } from '../auth/session-service'
import type { ChargeService } from '../billing/charge-service'
import type { CreditNews } from '../billing/credit-news-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { redeemTicket, type TicketHolder } from '../tickets/ticket-service'
import { onBroadcast } from './broadcast-service'
import { chatMetrics } from './chat-metrics'
import { ChatService, type Person, stopTopic } from './chat-service'
import { ChatSocket } from './chat-socket'
import { registerChatStream } from './chat-stream-routes'
import { CostInquiry } from './cost-inquiry'
import type { FairUse } from './fair-use'
import { GenerationRunner } from './generation-runner'
import { deleteOldGenerations } from './generation-store'
import { startReaper } from './reaper'
import { SocketConnection } from './socket-connection'

export type ChatDeps = {
  db: Db
  bus: Bus
  llm: LlmProvider
  log: FastifyBaseLogger
  nodeId: string
  secrets: Secrets
  countersKey: Buffer
  anonymousDailyMessages: number | null
  fairUse: FairUse
  rateLimitScale: number
  sessions: SessionService
  agents: AgentChatService
  charges: ChargeService
  creditNews: CreditNews
  /** What somebody has, for those who are connected. */
  creditsOf: (userId: string) => Promise<number>
  pictures: PictureService
  /** Of shared channels. */
  news: ChannelNews
  /** With the embedded database no other node exists. */
  isOnlyNode: boolean
  now: () => number
}

export type Chat = Pick<ChatService, 'forget' | 'stopAnswers'> & { drain(): Promise<void> }

type OpenSocket = { connection: SocketConnection; chat: ChatSocket; sessionId: string | undefined }

const StopMessage = z.object({ messageId: z.string(), subject: z.string() })
const TicketQuery = z.object({ token: z.optional(z.string()), channelId: z.optional(z.string()) })

/** Mounts /ws/chat. `drain` lets answers under way end and closes the sockets so that their owners come back to another node. */
export async function registerChat(app: FastifyInstance, deps: ChatDeps): Promise<Chat> {
  const { db, bus, llm, log, nodeId, countersKey, sessions, news, charges, now } = deps
  const metrics = chatMetrics(app.metrics)
  const inquiry = new CostInquiry({ db, llm, charges, news, log })
  inquiry.start()
  const runner = new GenerationRunner({ db, bus, llm, log, nodeId, news, charges, now, metrics, askCosts: () => inquiry.soon() })
  const service = new ChatService({ ...deps, runner })
  const stopReaper = startReaper({ db, bus, news, charges, log, nodeId, now, living: () => runner.living(), isOnlyNode: deps.isOnlyNode })
  const deleteOld = (): void =>
    void deleteOldGenerations(db, new Date(now() - limits.chat.keepGenerationsDays * 86_400_000)).catch((error: unknown) =>
      log.warn({ err: error }, 'old answers were not deleted'),
    )
  const retention = setInterval(deleteOld, 3_600_000)
  retention.unref()
  const unsubscribe = await bus.subscribe(stopTopic, (raw) => {
    const stop = z.safeParse(StopMessage, JSON.parse(raw))
    if (stop.success) runner.stop(stop.data.messageId, stop.data.subject)
  })
  const isAllowed = async ({ sessionId }: Person): Promise<boolean> => sessionId === undefined || (await sessions.alive([sessionId])).has(sessionId)
  /** Closes the sockets of sessions that are over: told by the bus at once, and looked up in case it was not. */
  const closeEnded = async (sockets: OpenSocket[]): Promise<void> => {
    const held = sockets.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]))
    if (held.length === 0) return
    const alive = await sessions.alive([...new Set(held)])
    for (const { connection, sessionId } of sockets) if (sessionId !== undefined && !alive.has(sessionId)) connection.close(closeCode.unauthenticated)
  }
  const closeEndedQuietly = (sockets: OpenSocket[]): void =>
    void closeEnded(sockets).catch((error: unknown) => log.warn({ err: error }, 'sessions could not be checked'))
  const unsubscribeEnded = await bus.subscribe(sessionsEndedTopic, (userId) => closeEndedQuietly(socketsOf(userId)))
  const check = setInterval(() => closeEndedQuietly(all()), limits.auth.revocationCheckMs)
  check.unref()
  const hashAddress = addressHasher(countersKey)
  const people = new WeakMap<FastifyRequest, Person>()
  const open = new Map<string, Set<OpenSocket>>()
  const socketsOf = (userId: string): OpenSocket[] => [...(open.get(subjectOf({ userId })) ?? [])]
  const all = (): OpenSocket[] => [...open.values()].flatMap((sockets) => [...sockets])

  /** Programs show their access token instead of a ticket. */
  const bearer = async (request: FastifyRequest): Promise<TicketHolder | undefined> => {
    const person = await app.people.identify(request)
    return person && { subject: subjectOf(person), sessionId: person.sessionId }
  }
  /** A ticket is good only in the browser that asked for it, a person's also only while the session is. */
  const isAdmitted = async ({ subject, sessionId, browser }: TicketHolder, request: FastifyRequest): Promise<boolean> => {
    const visitor = app.visitors.identify(request)
    if (sessionId === undefined) return subject === visitor
    return (browser === undefined || browser === visitor) && (await sessions.alive([sessionId])).has(sessionId)
  }

  /** Before the upgrade: whoever may not in gets a plain HTTP answer. */
  const admit = async (request: FastifyRequest): Promise<void> => {
    if (app.isInMaintenance) return
    const { origin } = request.headers
    if (origin !== undefined && !app.origins.isOwn(origin)) throw new AppError('forbidden')
    const query = z.safeParse(TicketQuery, request.query)
    const token = query.success ? query.data.token : undefined
    const holder = token === undefined ? await bearer(request) : await redeemTicket(db, token, now())
    if (!holder || !(await isAdmitted(holder, request))) throw new AppError('unauthenticated')
    people.set(request, { ...holder, address: hashAddress(request.ip, now()) })
  }

  await app.register(websocket, { options: { maxPayload: 4 * limits.chat.maxFrameBytes, perMessageDeflate: false } })
  const upgrade = { config: { rateLimit: { max: limits.chat.upgradesPerMinute } }, schema: { hide: true }, preValidation: admit }
  app.get('/ws/chat', { websocket: true, ...upgrade }, (socket, request) => {
    if (app.isInMaintenance) return socket.close(closeCode.restart)
    const person = people.get(request)
    if (!person) return socket.close(closeCode.unauthenticated)
    const sockets = open.get(person.subject) ?? new Set()
    if (sockets.size >= limits.chat.maxSocketsPerPerson) return socket.close(closeCode.tooMany)
    const connection = new SocketConnection(socket)
    const chat = new ChatSocket(connection, person, { service, bus, log, isAllowed, rateLimitScale: deps.rateLimitScale })
    const entry: OpenSocket = { connection, chat, sessionId: person.sessionId }
    open.set(person.subject, sockets.add(entry))
    metrics.sockets.inc()
    connection.closed.addEventListener('abort', () => {
      metrics.sockets.dec()
      sockets.delete(entry)
      if (sockets.size === 0) open.delete(person.subject)
    })
    socket.on('message', (data) => chat.receive(data))
  })

  registerChatStream(app, { db, service, bus, log, pictures: deps.pictures, hashAddress: (address) => hashAddress(address, now()) })

  const unsubscribeNews = await news.follow((told) => {
    const { channelId } = told
    for (const { chat } of told.userIds.flatMap(socketsOf)) {
      switch (told.kind) {
        case 'begun':
          chat.tellBegun({ channelId, messageId: told.messageId, mId: told.mId })
          break
        case 'changed':
          chat.tellChanged(channelId)
          break
        case 'received':
          chat.tellReceipts(channelId)
          break
        case 'left':
          chat.leave(channelId)
      }
    }
  })

  const unsubscribeCredits = await tellCredits(deps, socketsOf)

  const unsubscribeBroadcasts = await onBroadcast(bus, (message) => {
    for (const { connection } of all()) void connection.send(JSON.stringify({ event: 'broadcast', ...message }))
  })

  app.addHook('onClose', async () => {
    clearInterval(check)
    await unsubscribeBroadcasts()
    await unsubscribeCredits()
    await unsubscribeNews()
    await unsubscribeEnded()
    stopReaper()
    clearInterval(retention)
    await unsubscribe()
    await runner.drain(0)
    await inquiry.close()
  })
  return {
    async drain() {
      await runner.drain(limits.chat.drainMs - limits.chat.closingMs)
      for (const { connection } of all()) connection.close(closeCode.restart)
    },
    forget: (subject) => service.forget(subject),
    stopAnswers: (running) => service.stopAnswers(running),
  }
}

/** Tells people on every tab what they have now. Of several changes at once the last is told; each is read after the one before was told, so that no tab ends on an older amount. */
async function tellCredits({ creditNews, creditsOf, log }: ChatDeps, socketsOf: (userId: string) => OpenSocket[]): Promise<() => Promise<void>> {
  const telling = new Map<string, { isChanged: boolean }>()
  const tell = async (userId: string): Promise<void> => {
    const known = telling.get(userId)
    if (known) {
      known.isChanged = true
      return
    }
    const turn = { isChanged: true }
    telling.set(userId, turn)
    try {
      while (turn.isChanged && socketsOf(userId).length > 0) {
        turn.isChanged = false
        const frame = JSON.stringify({ event: 'credits-updated', content: await creditsOf(userId) })
        for (const { connection } of socketsOf(userId)) void connection.send(frame)
      }
    } catch (error) {
      log.warn({ err: error }, 'a change of credits could not be told')
    } finally {
      telling.delete(userId)
    }
  }
  return creditNews.follow((userId) => void tell(userId))
}
