import type { CreateChatMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { LlmProvider } from '../../providers/llm'
import type { Secrets } from '../../secrets'
import type { AgentBrief, AgentChatService } from '../agents/agent-chat-service'
import type { Charge, ChargeService, Tariff } from '../billing/charge-service'
import { assistantOf, isInChannel } from '../channels/access-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { beginExchange, type Exchange, requirePossible } from '../channels/exchange-service'
import { type Abandoned, endAbandoned, tellInterrupted } from './abandoned-answer'
import { type AnswerRequest, promptOf } from './chat-answer'
import { type FairUse, fairUseRefusal } from './fair-use'
import type { GenerationRunner } from './generation-runner'
import {
  type Claim,
  countRunning,
  deleteGeneration,
  deleteGenerations,
  findAsker,
  findGeneration,
  findRunning,
  findShared,
  type Generation,
  insertGeneration,
  isStanding,
  lockRunning,
} from './generation-store'

type Deps = {
  db: Db
  bus: Bus
  llm: LlmProvider
  runner: GenerationRunner
  nodeId: string
  secrets: Secrets
  agents: AgentChatService
  charges: ChargeService
  news: ChannelNews
  log: FastifyBaseLogger
  /** null: no limit. For those who are not signed in; the others pay. */
  anonymousDailyMessages: number | null
  fairUse: FairUse
  rateLimitScale: number
  now: () => number
}

/** `address` is the keyed hash of a network address. */
export type Person = { subject: string; address: string; sessionId?: string | undefined }

/** This node ends; another one, or this one after its restart, takes the question. */
export class RestartingError extends Error {
  override name = 'RestartingError'
}

/** What the model is asked, where its answer goes, and who pays for it. */
type Question = Pick<AnswerRequest, 'mId' | 'question' | 'lastMessages'> & { exchange: Exchange | undefined; charge: Charge | undefined }

/** Of a question, what its price depends on. */
type Priced = { tariff: Tariff | undefined; agent: AgentBrief | undefined; userLanguage: string | undefined; messageId: string }

/** As a limit in SQL. */
const unlimited = 2 ** 31 - 1

/** An answer that is being written, and for whom. */
export type Running = { messageId: string; subject: string }

export const stopTopic = 'chat:stop'

/** The rules of asking: who may, how often, with which model, and never twice for one message id. */
export class ChatService {
  private readonly turns = new Map<string, Promise<void>>()

  constructor(private readonly deps: Deps) {}

  /** Starts an answer, or finds the one that this id has already. `draft`: who answers, instead of any agent that is kept. Throws AppError. */
  ask(person: Person, body: CreateChatMessage, draft?: AgentBrief): Promise<void> {
    // One question of a person after the other, so that none counts twice and none slips past a limit.
    const turn = (this.turns.get(person.subject) ?? Promise.resolve()).then(() => this.askNow(person, body, draft))
    const over = turn
      .catch(() => undefined)
      .then(() => {
        if (this.turns.get(person.subject) === over) this.turns.delete(person.subject)
      })
    this.turns.set(person.subject, over)
    return turn
  }

  private async askNow(person: Person, body: CreateChatMessage, draft: AgentBrief | undefined): Promise<void> {
    const { nodeId, runner, rateLimitScale, db } = this.deps
    const userId = userIdOf(person.subject)
    if (body.storageMode === 'cloud' && userId === undefined) throw new AppError('unauthenticated')
    const { messageId, storageMode } = body
    const { subject } = person
    const requestText = textOf(body)
    const requestHash = this.deps.secrets.sign('request-hash', requestText)
    const model = await this.allowedModel(person, body.model)
    const tooFast = await this.tooFast(person)
    if (runner.isDraining) throw new RestartingError()
    const claim: Claim = { messageId, subject, requestHash, owner: nodeId, storageMode, model, epoch: 1 }
    const [most, tooMany] =
      userId === undefined
        ? [limits.chat.maxRunningAnswersAnonymous, 'chat.one-at-a-time' as const]
        : [limits.chat.maxRunningAnswers, 'chat.too-many-running' as const]
    const maxRunning = rateLimitScale > 0 ? most : unlimited
    // What this person has just stopped is not under way any more.
    await runner.stopping(subject)
    const tariff = userId === undefined ? undefined : await this.deps.charges.tariff(userId, model)
    // Whoever repeats a question gets its answer, also when the agent has gone since.
    const found = draft ?? (await this.agentFor(userId, body))
    const agent = found instanceof AppError ? undefined : found
    const refusal = tooFast ?? (found instanceof AppError ? found : await this.unfair(person, body.messageId, model))
    const priced: Priced = { tariff, agent, userLanguage: body.userLanguage, messageId }
    const begin = (): Promise<Question | undefined> =>
      body.storageMode === 'cloud' && userId !== undefined
        ? this.beginCloud({ ...body, actorId: userId, model }, claim, maxRunning, priced)
        : this.beginLocal(person, body, claim, maxRunning, priced)
    const answer = async (): Promise<Question | undefined> => {
      const question = await begin()
      if (!question) return undefined
      const { exchange, charge, ...asked } = question
      await runner.start(
        claim,
        { ...body, ...asked, model, agent, maxTokens: charge ? charge.maxTokens : await this.deps.charges.freeTokens(model) },
        { exchange, charge },
      )
      return question
    }
    const question = refusal ? undefined : await runner.expecting(messageId, answer)
    if (!question) {
      // Asked before, here or on another node: whoever repeats a question gets its answer, and no limit counts it again.
      const known = await findGeneration(db, subject, messageId)
      if (known && this.deps.secrets.verify('request-hash', requestText, known.requestHash)) return
      if (known) throw new AppError('chat.message-id-taken')
      if (refusal) throw refusal
      throw new AppError((await countRunning(db, subject)) >= maxRunning ? tooMany : 'chat.message-id-taken')
    }
    const { exchange } = question
    if (exchange) await this.deps.news.begun(exchange)
  }

  /** The agent that is asked: the one that is named, else a cloud channel's own. The refusal where this person may not chat with it. */
  private async agentFor(userId: string | undefined, body: CreateChatMessage): Promise<AgentBrief | AppError | undefined> {
    const { db, agents } = this.deps
    const { question, channelId, storageMode, userLanguage: language } = body
    const named = body.assistantId ?? body.suiAssistantId
    const id = named ?? (storageMode === 'cloud' && userId !== undefined ? await assistantOf(db, { actorId: userId, channelId }) : null)
    if (!id) return undefined
    return agents.brief(userId, id, { language, question }).catch((error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    })
  }

  /** Undefined when there is such an answer already, or too many are under way. Throws chat.daily-limit, credits.*. */
  private async beginLocal(person: Person, body: CreateChatMessage, claim: Claim, maxRunning: number, priced: Priced): Promise<Question | undefined> {
    const { db, now } = this.deps
    const asked = { mId: body.messageId, question: body.question, lastMessages: body.lastMessages }
    const { tariff } = priced
    if (tariff) {
      // The row and what its answer may cost: both are there or neither.
      return db.transaction(async (tx) => {
        if (!(await insertGeneration(tx, claim, maxRunning, new Date(now())))) return undefined
        return { ...asked, exchange: undefined, charge: await this.hold(tx, tariff, priced, asked) }
      })
    }
    if (!(await insertGeneration(db, claim, maxRunning, new Date(now())))) return undefined
    const usedUp = await this.usedUp(person)
    if (usedUp) {
      await deleteGeneration(db, claim)
      throw usedUp
    }
    return { ...asked, exchange: undefined, charge: undefined }
  }

  /** The last of its transaction: the lock of somebody's balance comes after all others. */
  private hold(tx: Db, tariff: Tariff, { agent, userLanguage, messageId }: Priced, asked: Pick<Question, 'question' | 'lastMessages'>): Promise<Charge> {
    const messages = promptOf({ ...asked, userLanguage, agent }, new Date(this.deps.now()))
    return this.deps.charges.hold(tx, tariff, { messageId, messages })
  }

  /** As `beginLocal`, with the question stored in the same transaction: whatever happens to the answer, both are there or neither. */
  private async beginCloud(
    body: CreateChatMessage & { actorId: string; model: string },
    claim: Claim,
    maxRunning: number,
    priced: Priced,
  ): Promise<Question | undefined> {
    const { db, now } = this.deps
    const { subject } = claim
    const { tariff } = priced
    requirePossible(body)
    if (await findGeneration(db, subject, body.messageId)) return undefined
    const begun = await db.transaction(async (tx) => {
      const row = { ...claim, channelId: body.channelId, mId: body.mId ?? body.messageId }
      if (!(await insertGeneration(tx, row, maxRunning, new Date(now())))) return undefined
      const { exchange, asked: question, history: lastMessages, replaced } = await beginExchange(tx, body, new Date(now()))
      const charge = tariff && (await this.hold(tx, tariff, priced, { question, lastMessages }))
      return { asked: { mId: exchange.mId, question, lastMessages, exchange, charge }, replaced }
    })
    if (begun?.replaced !== undefined) await this.cut({ messageId: begun.replaced, subject })
    return begun?.asked
  }

  /** For whoever asked, and for the owner of the channel. Of anybody else's answer, or one that is over, it does nothing. */
  async stop(person: Pick<Person, 'subject'>, messageId: string): Promise<void> {
    await this.cut({ messageId, subject: person.subject })
    const userId = userIdOf(person.subject)
    const asker = userId === undefined ? undefined : await findAsker(this.deps.db, userId, messageId)
    if (asker !== undefined && asker !== person.subject) await this.cut({ messageId, subject: asker })
  }

  /** Stops an answer of this person that this very node writes, at once and without asking anybody. */
  stopHere({ subject }: Pick<Person, 'subject'>, messageId: string): void {
    this.deps.runner.stop(messageId, subject)
  }

  /** Reaches whichever node writes the answer. */
  private async cut(running: Running): Promise<void> {
    await this.deps.bus.publish(stopTopic, JSON.stringify(running))
  }

  /**
   * Stops what is written for somebody whose account is going, and forgets their answers. What stands in a channel of another person is marked there:
   * whoever writes it finds no row any more, and can end it nowhere.
   */
  async forget(subject: string): Promise<void> {
    const { db, bus, news, log } = this.deps
    for (const messageId of await findRunning(db, subject)) {
      const taken = await this.takeRunning(subject, messageId)
      await this.cut({ messageId, subject })
      if (taken) await tellInterrupted({ bus, log }, taken)
      if (taken?.place) await news.changed(taken.place, taken.userId ?? '')
    }
    await deleteGenerations(db, subject)
  }

  /** Each in a transaction of its own, as the reaper does it. Undefined when its writer has ended it meanwhile. */
  private takeRunning(subject: string, messageId: string): Promise<Abandoned | undefined> {
    const { db, bus, charges, log, now } = this.deps
    return db.transaction(async (tx) => {
      const running = await lockRunning(tx, subject, messageId)
      if (!running) return undefined
      const ended = await endAbandoned(tx, { bus, charges, log }, running, new Date(now()))
      await deleteGeneration(tx, running)
      return ended
    })
  }

  /** Ends answers whose messages were deleted, or whose readers are out of the channel. */
  async stopAnswers(running: readonly Running[]): Promise<void> {
    for (const each of running) await this.cut(each)
  }

  /**
   * One's own answer, or one that stands in a channel that one is in. Whoever has left a channel has left its answers as well, also those to their own questions;
   * and an answer whose message was deleted is nobody's any more: what is still kept of it for resuming goes, too.
   */
  async find({ subject }: Person, messageId: string): Promise<Generation | undefined> {
    const { db, bus } = this.deps
    const row = await findGeneration(db, subject, messageId)
    const actorId = userIdOf(subject)
    if (actorId === undefined) return row
    if (!row) return findShared(db, actorId, messageId)
    if (row.channelId === null) return row
    if (!(await isInChannel(db, { actorId, channelId: row.channelId }))) return undefined
    if (await isStanding(db, row)) return row
    if (row.status !== 'running') await bus.log.remove(messageId)
    return undefined
  }

  /** Whoever has signed in may choose any model that is listed. Anonymous people get the default one of a gateway; a local server's models are for everyone. */
  private async allowedModel({ subject }: Person, wanted: string | undefined): Promise<string> {
    const { llm } = this.deps
    if (wanted === undefined || wanted === llm.defaultModel) return llm.defaultModel
    const models = await llm.models()
    if (!models.some(({ id }) => id === wanted)) throw new AppError('chat.model-unknown')
    if (llm.kind === 'gateway' && userIdOf(subject) === undefined) throw new AppError('chat.model-not-allowed')
    return wanted
  }

  private async tooFast({ subject }: Person): Promise<AppError | undefined> {
    const { bus, rateLimitScale: scale } = this.deps
    if (scale === 0) return undefined
    const { count, resetMs } = await bus.count(`chat:minute:${subject}`, 60_000)
    return count > limits.chat.maxMessagesPerMinute * scale ? new AppError('chat.too-fast', { retryAfter: Math.ceil(resetMs / 1000) }) : undefined
  }

  /** Counts one answer of a wallet by a model that costs the operator something. What is asked again is not counted again. */
  private async unfair(person: Person, messageId: string, model: string): Promise<AppError | undefined> {
    const { db, bus, charges, fairUse, rateLimitScale: scale } = this.deps
    const userId = userIdOf(person.subject)
    if (userId === undefined || !(await charges.isGiftToWallet(userId, model))) return undefined
    if (await findGeneration(db, person.subject, messageId)) return undefined
    return fairUseRefusal(person, { bus, fairUse, scale })
  }

  /** Counts one question of the day, of somebody who is not signed in. */
  private async usedUp({ subject, address }: Person): Promise<AppError | undefined> {
    const { bus, anonymousDailyMessages: daily, now } = this.deps
    if (daily === null || userIdOf(subject) !== undefined) return undefined
    const day = new Date(now()).toISOString().slice(0, 10)
    const isUsedUp = async (whose: string, most: number): Promise<boolean> => (await bus.count(`chat:day:${day}:${whose}`, 86_400_000)).count > most
    // What one person is refused does not count against the others at the same address.
    const isOver = (await isUsedUp(subject, daily)) || (await isUsedUp(address, daily * limits.anonymous.addressFactor))
    return isOver ? new AppError('chat.daily-limit') : undefined
  }
}

/** What must be the same when a question is repeated. For a cloud channel what the client sends as context counts for nothing. */
function textOf({ question, channelId, lastMessages, model, storageMode, mId, isContinuation }: CreateChatMessage): string {
  const parts = storageMode === 'cloud' ? [question, channelId, mId, isContinuation, model] : [question, channelId, lastMessages, model]
  return JSON.stringify([...parts.map((part) => part ?? null), storageMode])
}
