import { randomBytes } from 'node:crypto'
import { questionOf } from '@parley/contract/context'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import { questionsBefore } from '@parley/contract/question-before'
import { readParts, roomForSearch, type SentSource } from '@parley/contract/sent-sources'
import { searchQuestion } from '@parley/reader/search-question'
import type { Db } from '../../db/client'
import type { AgentBrief, AgentBriefs } from '../agents/public/agent-briefs'
import { assistantIdOf } from '../channels/public/channel-access'
import type { ChargeService } from '../credits/public/charges'
import { readContext } from '../messages/public/exchange-context'
import type { SentContext } from '../messages/public/exchange-start'
import { readSummarised, type Summarised, type SummaryPlace } from '../messages/public/summaries'
import type { Admitted } from './admit'
import { devicePath } from './device-path'
import { type Prompt, promptOf, sourceRoom } from './prompt'
import { type FoundSources, findSources, type SourceProvider } from './question-sources'
import type { SearchTask } from './search-round'
import { suggestedName } from './suggested-name'
import { summaryPrompt } from './summary-prompt'

export type PrepareDeps = {
  db: Db
  agents: AgentBriefs
  charges: ChargeService
  /** What questions are answered from beside what a device sends, in the order in which they have room. */
  sources: readonly SourceProvider[]
  now: () => number
}

/** What the model will read. `begin` checks that the agent, the context and the sources still hold. */
export type Prepared = {
  prompt: Prompt
  /** The stored agent that answers. */
  agentId: string | undefined
  /** Of a cloud channel. */
  cloud: { actorId: string; context: SentContext } | undefined
  /** In the transaction of `begin`: whether what goes along of the sources may still be sent. */
  sourcesHold: FoundSources['holds']
  /** Less of the conversation or of the sources could go along, where this much is too dear. */
  hasContext: boolean
  channelName: string | undefined
  /** The search of the web that the answer begins with. */
  search?: SearchTask | undefined
  /** What is asked for is a summary of a cloud channel, which keeps it. */
  summary?: SummaryPlace
}

/** What of a conversation is summarised: what comes with the request, or a cloud channel up to a run. */
type SummaryTask = Summarised | { channelId: string; upToRunId: string }

/** What answers in the place of a stored agent: one that is still a draft, or what writes a summary. */
export type Special = { draft?: AgentBrief | undefined; summary?: SummaryTask }

/**
 * The second phase of an answer: reads the agent and the context, outside any transaction, and builds the prompt, once.
 * Writes nothing. Throws agent.unavailable, channel.*, not-found; source.busy, source.no-text where files alone are
 * asked about and nothing of them goes along.
 */
export async function prepare(deps: PrepareDeps, admitted: Admitted, special: Special = {}): Promise<Prepared> {
  const { draft, summary } = special
  if (summary) return prepareSummary(deps, admitted, summary)
  const { agents, charges, now } = deps
  const { userId, body, tariff, settings, search } = admitted
  const { question, userLanguage, suggestName } = body
  const agentId = draft ? undefined : await agentIdOf(deps, admitted)
  const conversation = await conversationOf(deps, admitted)
  const looked = { language: userLanguage, question: searchQuestion(question, questionsBefore(conversation.path)) }
  const stored = agentId === undefined ? undefined : await agents.brief(userId, agentId, looked)
  const { prompt: asked, path, summary: before, actorId, continued, headRunId } = conversation
  const mostTokens = tariff ? await charges.affordablePrompt(tariff) : admitted.maxPromptTokens
  const searchTokens = search ? roomForSearch(admitted.window.tokens, mostTokens) : 0
  // What a search finds has its room before it is known.
  const window = { ...admitted.window, tokens: admitted.window.tokens - searchTokens }
  const maxTokens = mostTokens === undefined ? undefined : mostTokens - searchTokens
  const around = { userLanguage, agent: draft ?? stored, settings, window, maxTokens }
  const at = new Date(now())
  const mark = randomBytes(6).toString('base64url')
  const found = await sourcesOf(deps, admitted, { conversation, mark }, (questionAsked) =>
    sourceRoom({ ...around, question: questionAsked }, at),
  )
  const files = filesOf(conversation.files, found)
  const { prompt, sent, promptWith } = promptOf(
    { ...around, question: questionOf({ chat_request: asked, files }), path, summary: before, found, mark },
    at,
  )
  return {
    prompt,
    agentId,
    cloud: actorId === undefined ? undefined : { actorId, context: { prompt: asked, continued, headRunId, sent } },
    sourcesHold: found.holds,
    hasContext: sent.length > 0 || found.sources.length > 0,
    search: search && {
      ...{ by: search.by, question: asked, said: sent.at(-1)?.messages ?? [], promptWith },
      ...{ roomTokens: searchTokens, firstNumber: lastNumber(found.sources) + 1 },
    },
    channelName: suggestName ? suggestedName(asked.trim() === '' ? (files[0]?.name ?? '') : asked) : undefined,
  }
}

const lastNumber = (sources: readonly SentSource[]): number =>
  Math.max(0, ...sources.flatMap(({ passages }) => passages.map(({ n }) => n)))

type Conversation = Awaited<ReturnType<typeof conversationOf>>

/** Throws source.busy, source.no-text. */
async function sourcesOf(
  deps: PrepareDeps,
  { sentAlong, seesPictures }: Admitted,
  { conversation, mark }: { conversation: Conversation; mark: string },
  roomFor: (question: string) => number,
): Promise<FoundSources> {
  const { prompt, files, path, channel, continued, cited } = conversation
  const sentByDevice: SourceProvider = async () => ({
    sources: sentAlong.sources,
    pictures: seesPictures ? sentAlong.pictures : [],
  })
  // A request to continue names nothing that could be found. What it continues is the end of the path.
  const question = continued?.question ?? prompt
  const isGoingOn = continued !== undefined && continued.answer.trim() !== ''
  const asked = {
    question: searchQuestion(question.trim(), questionsBefore(isGoingOn ? path.slice(0, -1) : path)),
    fileIds: files.map(({ fileId }) => fileId),
    roomTokens: roomFor(questionOf({ chat_request: prompt, files })),
    seesPictures,
    channel,
  }
  const found = await findSources([sentByDevice, ...deps.sources], asked, { cited, mark })
  if (prompt.trim() === '' && found.sources.length === 0)
    throw new AppError(found.isReading ? 'source.busy' : 'source.no-text')
  return found
}

/** What a question of files alone is about. */
const filesOf = (files: readonly FilePart[], { sources, pictures }: FoundSources): FilePart[] =>
  files.length > 0 ? [...files] : readParts(sources, pictures)

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
    ...{ agentId: undefined, cloud: undefined, sourcesHold: undefined, hasContext: true, channelName: undefined },
    ...(read ? { summary: read.place } : {}),
  }
}

/** A cloud channel is read here; what was said in a chat of a device comes with the question. */
async function conversationOf({ db }: PrepareDeps, { userId, body, window }: Admitted) {
  if (body.storageMode !== 'cloud' || userId === undefined)
    return {
      ...{ prompt: body.question, path: devicePath(body), summary: body.summary, files: body.files ?? [] },
      ...noChannel,
    }
  const maxBytes = Math.min(window.tokens * bytesOfToken, serverLimits.context.maxBytes)
  const { ownerId, ...context } = await readContext(db, { ...body, actorId: userId }, maxBytes)
  const channel = { userId: ownerId, channelId: body.channelId }
  return { ...context, cited: context.continued?.sources ?? noCitations, actorId: userId, channel }
}

const noCitations: readonly SourcePart[] = []
const noChannel = {
  ...{ actorId: undefined, continued: undefined, headRunId: null },
  ...{ channel: undefined, cited: noCitations },
}

/** As the contract's token-estimate.ts counts. */
const bytesOfToken = 4

/** The requested agent, else that of the cloud channel. */
async function agentIdOf({ db }: PrepareDeps, { userId, body }: Admitted): Promise<string | undefined> {
  const { channelId, storageMode, assistantId, suiAssistantId } = body
  const ofChannel = async () =>
    storageMode === 'cloud' && userId !== undefined ? assistantIdOf(db, { actorId: userId, channelId }) : null
  return (assistantId ?? suiAssistantId ?? (await ofChannel())) || undefined
}
