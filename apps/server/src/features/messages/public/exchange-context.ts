import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { type ContextExchange, exchangesOf, questionOf } from '@parley/contract/context'
import { AppError } from '@parley/contract/errors'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import type { Db } from '../../../db/client'
import { type ChannelAccess, requireWriter } from '../../channels/public/channel-access'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import { contextPath } from '../context-path'
import { shownRunsOf } from '../exchange-store'
import { findMessage } from '../message-lookup-store'
import { type PathStep, pathTo, pathToHead } from '../path-store'
import { type PlacedSummary, summariesIn } from '../summary-store'
import { findRun } from '../version-store'
import { type MessageRow, shownRunOf } from './message-row'
import { readPath, shownMessages } from './shown-messages'
import { storedFiles } from './stored-parts'
import { fromStored, isStorable } from './stored-text'

/** A question in a cloud channel. `actorId` asks, and pays. */
export type QuestionRequest = Pick<
  CreateChatMessage,
  'question' | 'files' | 'channelId' | 'mId' | 'isContinuation' | 'afterRunId'
> & { actorId: string }

/**
 * An exchange before a question. `run` wrote its answer; without `mId` it is checked in another way, or nowhere.
 * `isCovered`: a summary stands for it.
 */
export type PathExchange = ContextExchange & { mId?: string; run?: string; isCovered?: boolean }

/**
 * What the model may read with a question. It is read outside any transaction; `startExchange` checks that it still
 * holds.
 */
export type ExchangeContext = {
  /** Of the channel. */
  ownerId: string
  /** Of a continuation it differs from the stored question. */
  prompt: string
  /** What was added with the question. */
  files: FilePart[]
  /** What was said before, oldest first; where the channel is long, the newest of it and what is pinned. */
  path: readonly PathExchange[]
  /** Stands for what was said before the path. */
  summary: string | undefined
  /** The exchange that a continuation goes on with. `sources`: what the answer cites. */
  continued: { question: string; answer: string; sources: readonly SourcePart[] } | undefined
  /** The head of whoever asks, in a channel with branches, where the question names no run to follow. */
  headRunId: string | null
}

/** A text of the context was deleted or replaced after it was read: the context has to be read again. */
export class ContextChangedError extends Error {
  override name = 'ContextChangedError'
}

/**
 * `maxBytes`: what is read of the conversation. Throws channel.not-found, channel.read-only, channel.not-author,
 * not-found, chat.version-gone where the run to follow is not in the channel, or was deleted.
 */
export async function readContext(db: Db, request: QuestionRequest, maxBytes: number): Promise<ExchangeContext> {
  const { mId, question, files = [] } = request
  requireStorableIds(request)
  const access = await requireWriter(db, request)
  const { userId: ownerId } = access
  if (mId === undefined) {
    const { headRunId, ...before } = await pathToFollow(db, access, request.afterRunId)
    const said = besideSummary(await exchangesOfPath(db, access, { ...before, maxBytes }))
    return { ownerId, prompt: question, files, ...said, continued: undefined, headRunId }
  }
  const row = await findMessage(db, { ...access, mId })
  if (!row) throw new AppError('not-found')
  requireAuthor(access, row)
  const steps = access.headRunId === null ? undefined : await pathTo(db, access, row.afterRunId)
  const said = besideSummary(await exchangesOfPath(db, access, { path: steps, before: row.position, maxBytes }))
  const asked = { ownerId, files: storedFiles(row.questionParts), headRunId: null }
  if (!request.isContinuation) return { ...asked, prompt: question, ...said, continued: undefined }
  const { chat_request, chat_response, sources = [] } = await shownMessage(db, access, row)
  const continued = { question: chat_request, answer: chat_response.content, sources }
  // An empty answer cannot be continued, so the original question is asked again.
  if (continued.answer.trim() === '') return { ...asked, prompt: continued.question, ...said, continued }
  const messages = [
    { role: 'user' as const, content: questionOf({ chat_request, files: asked.files }) },
    { role: 'assistant' as const, content: continued.answer },
  ]
  return { ...asked, prompt: question, ...said, path: [...said.path, { messages }], continued }
}

/** Nobody replaces another author's question, not even the channel's owner. Throws channel.not-author. */
export function requireAuthor({ actorId, role }: ChannelAccess, { authorUserId }: MessageRow): void {
  if (authorUserId !== actorId && !(role === 'owner' && authorUserId === null)) throw new AppError('channel.not-author')
}

/**
 * Throws ContextChangedError where an answer that the model is to read was deleted or, in a channel without branches,
 * is written by another run now.
 */
export async function requireUnchanged(
  tx: Db,
  which: OwnedChannel,
  sent: readonly PathExchange[],
  hasBranches: boolean,
): Promise<void> {
  const known = sent.flatMap(({ mId, run }) => (mId === undefined ? [] : [[mId, run] as const]))
  if (known.length === 0) return
  const current = await shownRunsOf(
    tx,
    which,
    known.map(([mId]) => mId),
  )
  for (const [mId, run] of known)
    if (!(hasBranches ? current.has(mId) : current.get(mId) === run)) throw new ContextChangedError()
}

/**
 * Refuses ids that the database cannot store, and thus not look up. Throws channel.not-found, not-found,
 * chat.version-gone.
 */
function requireStorableIds({ channelId, mId, afterRunId }: QuestionRequest): void {
  if (!isStorable(channelId)) throw new AppError('channel.not-found')
  if (!isStorable(mId ?? '')) throw new AppError('not-found')
  if (!isStorable(afterRunId ?? '')) throw new AppError('chat.version-gone')
}

/** The message of a row with the run that whoever asks reads, or the newest where they read another branch. */
async function shownMessage(db: Db, access: ChannelAccess, row: MessageRow): Promise<Message> {
  const [message] = await shownMessages(db, access, [row], await readPath(db, access))
  if (!message) throw new AppError('not-found')
  return message
}

/** A path, or what is before a position of a channel without branches; `last`: with this run of its last exchange. */
type Way = { path: readonly PathStep[] | undefined; before?: number; last?: PathStep }

/** What a new exchange follows: a run of the request, else the head of whoever asks. Throws chat.version-gone. */
async function pathToFollow(
  db: Db,
  access: ChannelAccess,
  afterRunId: string | null | undefined,
): Promise<Way & { headRunId: string | null }> {
  if (afterRunId === null) return { path: [], headRunId: null }
  if (afterRunId === undefined)
    return access.headRunId === null
      ? { path: undefined, headRunId: null }
      : await pathToHead(db, access, access.headRunId)
  const followed = await findRun(db, access, afterRunId)
  if (!followed?.isStanding) throw new AppError('chat.version-gone')
  if (access.headRunId !== null) return { path: await pathTo(db, access, afterRunId), headRunId: null }
  const { mId, position } = followed
  return { path: undefined, before: position + 1, last: { mId, position, runId: afterRunId }, headRunId: null }
}

/** The path up to a run, and that run's exchange with it. Throws not-found. */
export async function pathUpTo(db: Db, access: ChannelAccess, runId: string, maxBytes: number): Promise<PathRead> {
  return exchangesOfPath(db, access, { ...(await pathToFollow(db, access, runId)), maxBytes })
}

/** `summary`: the nearest one on the path that nobody has undone. */
type PathRead = { path: PathExchange[]; summary: { text: string; messages: number } | undefined }

/** What may go along beside a summary: what is pinned, and what was said since. */
const besideSummary = ({ path, summary }: PathRead): Pick<ExchangeContext, 'path' | 'summary'> => ({
  path: path.filter(({ isCovered, isPinned }) => !isCovered || isPinned),
  summary: summary?.text,
})

async function exchangesOfPath(
  db: Db,
  which: OwnedChannel,
  { path, before, last, maxBytes }: Way & { maxBytes: number },
): Promise<PathRead> {
  const rows = await contextPath(db, which, { path, before, maxBytes })
  const steps = path ?? (last ? [last] : [])
  const messages = await shownMessages(db, which, rows, steps)
  const runs = new Map(steps.map(({ mId, runId }) => [mId, runId]))
  const isOnPath = ({ mId, upToRunId, position, shownRunId }: PlacedSummary): boolean =>
    path
      ? runs.get(mId) === upToRunId
      : (runs.get(mId) ?? shownRunId) === upToRunId && (before === undefined || position < before)
  const summary = (await summariesIn(db, which)).findLast((each) => !each.isUndone && isOnPath(each))
  const exchanges = rows.flatMap((row, index) => {
    const message = messages[index]
    if (!message) return []
    const run = runs.get(row.mId) ?? shownRunOf(row)
    const isCovered = summary !== undefined && row.position <= summary.position
    return exchangesOf([{ ...message, isPinned: row.isPinned }]).map((exchange) => ({ ...exchange, run, isCovered }))
  })
  return { path: exchanges, summary: summary && { text: fromStored(summary.text), messages: summary.messages } }
}
