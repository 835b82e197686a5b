import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus/bus'
import type { AgentBriefs } from '../agents/public/agent-briefs'
import { AnswerBudget } from '../credits/public/answer-budget'
import type { Charge, ChargeService } from '../credits/public/charges'
import { ContextChangedError } from '../messages/public/exchange-context'
import type { Exchange } from '../messages/public/exchange-end'
import { startExchange } from '../messages/public/exchange-start'
import type { SummaryPlace } from '../messages/public/summaries'
import type { Admitted } from './admit'
import { type AnswerLimitDeps, countOfDay } from './answer-limits'
import { publishStop } from './answer-stop'
import { countRunning, deleteGeneration, type GenerationClaim, insertGeneration } from './generation-store'
import type { AnswerTask } from './perform'
import type { Prepared } from './prepare'

export type BeginDeps = AnswerLimitDeps & {
  db: Db
  bus: Bus
  agents: AgentBriefs
  charges: ChargeService
  nodeId: string
  now: () => number
}

/** An answer whose row is stored. `exchange`: where a cloud channel stores it. `charge`: the hold that pays for it. */
export type Begun = {
  claim: GenerationClaim
  task: AnswerTask
  exchange: Exchange | undefined
  charge: Charge | undefined
  /** Where a cloud channel stores the text: it is a summary. */
  summary?: SummaryPlace | undefined
}

/**
 * The third phase of an answer, one transaction: its row, its exchange in a cloud channel, and its hold. What may have
 * changed since it was prepared is checked again, under the locks. Throws ContextChangedError where it has to be
 * prepared again; agent.unavailable, channel.*, not-found, credits.*, chat.daily-limit, chat.message-id-taken, and the
 * code of the limit where too many answers are running.
 */
export async function begin(deps: BeginDeps, admitted: Admitted, prepared: Prepared): Promise<Begun> {
  const { db, bus, charges } = deps
  const { visitor, body, model, settings, concurrency, maxUnchargedTokens } = admitted
  const { subject } = visitor
  const { messageId, channelId, userLanguage } = body
  const claim = claimOf(deps, admitted)
  const stored = await store(deps, admitted, prepared, claim)
  if (!stored) {
    const isAtLimit = (await countRunning(db, subject)) >= concurrency.maxRunning
    throw new AppError(isAtLimit ? concurrency.code : 'chat.message-id-taken')
  }
  // Counted once the row is stored, so that a repeated question is not counted again.
  await countOfDay(deps, visitor).catch(async (error: unknown) => {
    await deleteGeneration(db, claim)
    throw error
  })
  const { exchange, charge, replacedRun } = stored
  if (replacedRun !== undefined) await publishStop(bus, { messageId: replacedRun, subject })
  const budget = charge ? charges.budgetOf(charge) : new AnswerBudget({ maxTokens: maxUnchargedTokens })
  const mId = exchange?.mId ?? messageId
  const { prompt, channelName } = prepared
  const task = { messageId, mId, channelId, model, userLanguage, channelName, prompt, settings, budget }
  return { claim, task, exchange, charge, summary: prepared.summary }
}

function claimOf({ nodeId }: BeginDeps, { visitor, body, requestHash, model }: Admitted): GenerationClaim {
  const { messageId, storageMode, channelId, mId } = body
  const claim = { messageId, subject: visitor.subject, requestHash, owner: nodeId, storageMode, model, epoch: 1 }
  return storageMode === 'cloud' ? { ...claim, channelId, mId: mId ?? messageId } : claim
}

/** Undefined when the message id is taken, or too many answers are running. */
async function store(deps: BeginDeps, admitted: Admitted, prepared: Prepared, claim: GenerationClaim) {
  const { db, agents, charges, now } = deps
  const { userId, body, model, tariff, concurrency } = admitted
  const { prompt, agentId, cloud, sourcesHold } = prepared
  const at = new Date(now())
  const isInserted = (tx: Db): Promise<boolean> => insertGeneration(tx, claim, concurrency.maxRunning, at)
  // One statement, because the visitor is waiting.
  if (!tariff && !cloud && !sourcesHold && agentId === undefined)
    return (await isInserted(db)) ? { exchange: undefined, replacedRun: undefined, charge: undefined } : undefined
  return db.transaction(async (tx) => {
    if (!(await isInserted(tx))) return undefined
    if (agentId !== undefined) await agents.requireAvailable(tx, userId, agentId)
    const started = cloud && (await startExchange(tx, { ...body, actorId: cloud.actorId, model }, cloud.context, at))
    // One that was removed or switched off meanwhile is not sent any more.
    if (sourcesHold && !(await sourcesHold(tx))) throw new ContextChangedError()
    // Last, because every transaction locks the balance after all other rows.
    const charge = tariff && (await charges.hold(tx, tariff, { messageId: claim.messageId, prompt: prompt.size }))
    return { exchange: started?.exchange, replacedRun: started?.replacedRun, charge }
  })
}
