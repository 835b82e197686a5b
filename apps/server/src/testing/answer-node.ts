import type { CreateChatMessage } from '@parley/contract/chat'
import type { Model } from '@parley/contract/models'
import { noMoney } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import type { Database, DatabaseKind, Db } from '../db/client'
import { AgentBriefs } from '../features/agents/public/agent-briefs'
import { ChannelEvents } from '../features/channels/public/channel-events'
import { onStop } from '../features/chat/answer-stop'
import { chatMetrics } from '../features/chat/chat-metrics'
import { GenerationRunner } from '../features/chat/generation-runner'
import { QuestionService } from '../features/chat/question-service'
import type { SourceProvider } from '../features/chat/question-sources'
import { createReaper } from '../features/chat/reaper'
import { ChargeService } from '../features/credits/public/charges'
import { CreditEvents } from '../features/credits/public/credit-events'
import { Tariffs } from '../features/credits/public/tariffs'
import { WebSearch } from '../features/search/public/web-search'
import { AgentKnowledge } from '../features/sources/public/agent-knowledge'
import { subjectOf } from '../plugins/people'
import { MemoryBus } from '../providers/bus/memory-bus'
import type { ChatRequest, LlmEvent, LlmProvider } from '../providers/llm'
import { Secrets } from '../secrets'
import { aHoldService } from './ledger-people'
import { plain } from './paying-room'
import { testDatabase } from './test-databases'

export const model = 'stand-in/large'

/** A model that costs money, and what it was asked. */
export class AskedModel implements LlmProvider {
  readonly kind = 'gateway'
  readonly defaultModel = model
  readonly requests: ChatRequest[] = []
  pricing = { prompt: '0.000001', completion: '0.000002' }
  /** Runs before the model says anything. */
  onAsked: (signal: AbortSignal) => Promise<unknown> = async () => undefined

  async models(): Promise<Model[]> {
    return [
      { id: model, name: 'Large', free: false, pricing: this.pricing, maxOutputTokens: 1_000 },
      { id: 'stand-in/free', name: 'Free', free: true },
    ]
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    this.requests.push(request)
    await this.onAsked(signal)
    yield { type: 'text', text: `Answer to: ${request.messages.at(-1)?.content}` }
    yield { type: 'finish', reason: 'stop' }
  }
}

/** For the app beside the nodes: on an embedded database it takes the answers of any other node for orphans. */
export async function sharedDatabase(kind: DatabaseKind): Promise<Database> {
  return { ...(await testDatabase(kind)), kind: 'postgresql' }
}

type Options = {
  llm?: AskedModel
  now?: () => number
  bus?: MemoryBus
  scale?: number
  sources?: readonly SourceProvider[]
}

const secrets = new Secrets(['a secret of the answering nodes, long enough'])

/** A node of the chat without its sockets, on a database that the test may watch or break. */
export function anAnswerNode(
  db: Db,
  { llm = new AskedModel(), now = Date.now, bus: given, scale = 0, sources = [] }: Options = {},
) {
  const log = pino({ level: 'silent' })
  const bus = given ?? new MemoryBus(log)
  const creditEvents = new CreditEvents({ bus, log })
  const charges = new ChargeService({ db, holds: aHoldService(db, now), creditEvents, markup: plain })
  const tariffs = new Tariffs({ db, llm, markup: plain, allowsUnpriced: false, log, now })
  const channelEvents = new ChannelEvents({ db, bus, log })
  const pages = { passagesOf: () => Promise.reject(new Error('nothing is searched here')) }
  const webSearch = new WebSearch({ searching: undefined, llm, pages, priceOf: () => noMoney, log })
  const shared = { db, bus, llm, log, charges, channelEvents, webSearch, nodeId: uuidv7(), now }
  const metrics = chatMetrics(new Registry())
  const runner = new GenerationRunner({ ...shared, metrics, requestCosts: () => undefined })
  const unsubscribe = onStop(bus, ({ messageId, subject }) => runner.stop(messageId, subject))
  const fairUse = { perWallet: 100, perAddress: 100, total: 100 }
  const limits = { fairUse, anonymousDailyMessages: 1, rateLimitScale: scale }
  const questions = new QuestionService({
    ...shared,
    ...limits,
    tariffs,
    secrets,
    runner,
    metrics,
    agents: new AgentBriefs({ db, knowledge: new AgentKnowledge({ db }) }),
    sources,
  })
  onTestFinished(async () => {
    await (await unsubscribe)()
    await runner.drain(0)
    if (!given) await bus.close()
  })
  return {
    llm,
    runner,
    /** How many questions have been taken whose answers have not begun. */
    preparing: async () => (await metrics.preparing.get()).values[0]?.value,
    reap: createReaper({ ...shared, activeIds: () => runner.activeIds(), isOnlyNode: true }),
    /** Resolves with the message id when the answer has begun, and rejects with the refusal. */
    ask: async (userId: string | undefined, question: string, more: Partial<CreateChatMessage> = {}) => {
      const messageId = more.messageId ?? uuidv7()
      const subject = userId === undefined ? 'anon:somebody' : subjectOf({ userId })
      const body = { question, channelId: 'on the device', messageId, lastMessages: [], storageMode: 'local' as const }
      await questions.ask({ subject, address: 'an address' }, { ...body, ...more })
      return messageId
    },
  }
}

/** The same database; runs the next of these actions before each transaction that is begun on it. */
export function beforeTransactions(db: Db, actions: (() => Promise<unknown>)[]): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name)
      return async (run: (tx: Db) => Promise<unknown>) => {
        await actions.shift()?.()
        return target.transaction(run)
      }
    },
  })
}
