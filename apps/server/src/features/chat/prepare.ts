import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import type { AgentBrief, AgentBriefs } from '../agents/public/agent-briefs'
import { assistantIdOf } from '../channels/public/channel-access'
import type { ChargeService } from '../credits/public/charges'
import { readContext } from '../messages/public/exchange-context'
import type { SentContext } from '../messages/public/exchange-start'
import { readSummarised, type Summarised, type SummaryPlace } from '../messages/public/summaries'
import type { Admitted } from './admit'
import { devicePath } from './device-path'
import { type Prompt, promptOf } from './prompt'
import { suggestedName } from './suggested-name'
import { summaryPrompt } from './summary-prompt'

export type PrepareDeps = { db: Db; agents: AgentBriefs; charges: ChargeService; now: () => number }

/** What the model will read. `begin` checks that the agent and the context still hold. */
export type Prepared = {
  prompt: Prompt
  /** The stored agent that answers. */
  agentId: string | undefined
  /** Of a cloud channel. */
  cloud: { actorId: string; context: SentContext } | undefined
  /** Less of the conversation could go along, where this much is too dear. */
  hasContext: boolean
  channelName: string | undefined
  /** What is asked for is a summary of a cloud channel, which keeps it. */
  summary?: SummaryPlace
}

/** What of a conversation is summarised: what comes with the request, or a cloud channel up to a run. */
type SummaryTask = Summarised | { channelId: string; upToRunId: string }

/** What answers in the place of a stored agent: one that is still a draft, or what writes a summary. */
export type Special = { draft?: AgentBrief | undefined; summary?: SummaryTask }

/**
 * The second phase of an answer: reads the agent and the context, outside any transaction, and builds the prompt, once.
 * Writes nothing. Throws agent.unavailable, channel.*, not-found.
 */
export async function prepare(deps: PrepareDeps, admitted: Admitted, special: Special = {}): Promise<Prepared> {
  const { draft, summary } = special
  if (summary) return prepareSummary(deps, admitted, summary)
  const { agents, charges, now } = deps
  const { userId, body, window, tariff, settings } = admitted
  const { question, userLanguage, suggestName } = body
  const agentId = draft ? undefined : await agentIdOf(deps, admitted)
  const stored =
    agentId === undefined ? undefined : await agents.brief(userId, agentId, { language: userLanguage, question })
  const conversation = await conversationOf(deps, admitted)
  const asked = conversation.prompt
  const maxTokens = tariff ? await charges.affordablePrompt(tariff) : admitted.maxPromptTokens
  const { path, summary: before, actorId, continued, headRunId } = conversation
  const { prompt, sent } = promptOf(
    { question: asked, path, summary: before, userLanguage, agent: draft ?? stored, settings, window, maxTokens },
    new Date(now()),
  )
  return {
    prompt,
    agentId,
    cloud: actorId === undefined ? undefined : { actorId, context: { prompt: asked, continued, headRunId, sent } },
    hasContext: sent.length > 0,
    channelName: suggestName ? suggestedName(asked) : undefined,
  }
}

/** Throws channel.*, not-found, conflict. */
async function prepareSummary(
  { db, charges }: PrepareDeps,
  { userId, window, tariff, maxPromptTokens }: Admitted,
  task: SummaryTask,
): Promise<Prepared> {
  const read = 'channelId' in task ? await readSummarised(db, { ...task, actorId: userId ?? '' }) : undefined
  const said = 'channelId' in task ? undefined : task
  const maxTokens = tariff ? await charges.affordablePrompt(tariff) : maxPromptTokens
  const { before, exchanges = [] } = read ?? said ?? {}
  return {
    prompt: summaryPrompt({ exchanges, before, window, maxTokens }),
    ...{ agentId: undefined, cloud: undefined, hasContext: true, channelName: undefined },
    ...(read ? { summary: read.place } : {}),
  }
}

/** A cloud channel is read here; what was said in a chat of a device comes with the question. */
async function conversationOf({ db }: PrepareDeps, { userId, body, window }: Admitted) {
  if (body.storageMode !== 'cloud' || userId === undefined)
    return { prompt: body.question, path: devicePath(body), summary: body.summary, ...noChannel }
  const maxBytes = Math.min(window.tokens * bytesOfToken, serverLimits.context.maxBytes)
  return { ...(await readContext(db, { ...body, actorId: userId }, maxBytes)), actorId: userId }
}

const noChannel = { actorId: undefined, continued: undefined, headRunId: null }

/** As the contract's token-estimate.ts counts. */
const bytesOfToken = 4

/** The requested agent, else that of the cloud channel. */
async function agentIdOf({ db }: PrepareDeps, { userId, body }: Admitted): Promise<string | undefined> {
  const { channelId, storageMode, assistantId, suiAssistantId } = body
  const ofChannel = async () =>
    storageMode === 'cloud' && userId !== undefined ? assistantIdOf(db, { actorId: userId, channelId }) : null
  return (assistantId ?? suiAssistantId ?? (await ofChannel())) || undefined
}
