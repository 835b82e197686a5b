import type { OutlineEntry } from '@parley/contract/branches'
import { assertCanClear } from '@parley/contract/channels'
import { removalOfBranch, type Tree } from '@parley/contract/conversation-tree'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import {
  type AccessRequest,
  type ChannelAccess,
  lockForReading,
  lockForWriting,
  requireAccess,
} from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { authorIdsOf, deleteFrom, findMessage, idsFrom } from './message-lookup-store'
import { treeIn } from './path-store'
import { beginBranches, setHead } from './public/head-store'
import { type MessageRow, shownRunOf } from './public/message-row'
import { authorsOf } from './public/messages-for-reader'
import { type RunningAnswer, runningAnswersIn } from './public/running-answer-store'
import { readPath } from './public/shown-messages'
import { fromStored, isStorable } from './public/stored-text'
import { eraseExchanges } from './removal-store'
import { newestThrough, newestThroughRun, runsOfAnswer } from './tree-choice'
import { outlineRows, updatePin } from './version-store'

type Deps = {
  db: Db
  events: ChannelEvents
  /** Aborts answers whose messages were deleted. */
  stopAnswers: (running: readonly RunningAnswer[]) => Promise<void>
  now: () => number
}
type VersionRequest = AccessRequest & { mId: string }

/** Of a question in the outline. */
const outlineLength = 200

/** The branches of cloud channels. Throws channel.not-found, and not-found for a version. */
export class BranchService {
  constructor(private readonly deps: Deps) {}

  /** Moves the head of whoever asks, and nobody else's. A version that they read already leaves it where it is. */
  async show({ mId, runId, ...request }: VersionRequest & { runId?: string | undefined }): Promise<void> {
    const { db, events } = this.deps
    const isMoved = await db.transaction(async (tx) => {
      const access = await lockForReading(tx, request)
      const row = await requireRow(tx, access, mId)
      const isShown = access.headRunId === null && (runId === undefined || runId === shownRunOf(row))
      if (isShown) return false
      const headRunId = access.headRunId ?? (await beginBranches(tx, access)) ?? null
      const tree = await treeIn(tx, access)
      const path = await readPath(tx, { ...access, headRunId })
      const shownId = path?.find((step) => step.mId === mId)?.runId
      const wanted = runId === undefined ? undefined : runsOfAnswer(tree, mId, runId)
      if (shownId !== undefined && (!wanted || wanted.some(({ id }) => id === shownId))) return false
      const head = runId === undefined ? newestThrough(tree, mId) : newestThroughRun(tree, mId, runId)
      if (head === undefined) throw new AppError('not-found')
      await setHead(tx, access, head)
      return true
    })
    if (isMoved) await events.headMoved(request.channelId, request.actorId)
  }

  /**
   * Deletes a version of a question and everything below it: the owner any, a member what is all their own. Throws
   * channel.locked, channel.not-author.
   */
  async remove({ mId, ...request }: VersionRequest): Promise<void> {
    const { db, events, stopAnswers, now } = this.deps
    const { access, running } = await db.transaction(async (tx) => {
      const access = await lockForReading(tx, request)
      const row = await requireRow(tx, access, mId)
      assertCanClear(access)
      const mIds =
        access.headRunId === null
          ? await idsFrom(tx, access, row.position)
          : removalOfBranch(await treeIn(tx, access), mId, '').exchanges.map(({ id }) => id)
      await requireOwnBranch(tx, access, mIds)
      const inChannel = await runningAnswersIn(tx, [access.channelId])
      if (access.headRunId === null) await deleteFrom(tx, access, row.position)
      else await eraseExchanges(tx, access, mIds, new Date(now()))
      return { access, running: inChannel.filter((each) => mIds.includes(each.mId ?? '')) }
    })
    await stopAnswers(running)
    await events.channelChanged(access, request.actorId)
  }

  async outline(request: AccessRequest): Promise<OutlineEntry[]> {
    const { db } = this.deps
    const access = await requireAccess(db, request)
    const rows = await outlineRows(db, access, 2 * outlineLength)
    const path = await readPath(db, access)
    const shown = path && new Set(path.map(({ mId }) => mId))
    const tree = path && (await treeIn(db, access))
    const authors = await authorsOf(db, request.actorId, rows)
    return rows.map(({ mId, question, askedAt, isPinned }, index) => {
      const author = authors.get(mId)
      return {
        ...{ mId, afterMId: tree ? standingBefore(tree, mId) : (rows[index - 1]?.mId ?? null) },
        text: Array.from(fromStored(question)).slice(0, outlineLength).join(''),
        datetime: fromStored(askedAt),
        isShown: shown?.has(mId) ?? true,
        ...(isPinned ? { isPinned: true as const } : {}),
        ...(author ? { author } : {}),
      }
    })
  }

  /** Throws channel.read-only. */
  async setPinned({ mId, isPinned, ...request }: VersionRequest & { isPinned: boolean }): Promise<void> {
    const { db, events } = this.deps
    const access = await db.transaction(async (tx) => {
      const access = await lockForWriting(tx, request)
      if (!isStorable(mId) || !(await updatePin(tx, { ...access, mId, isPinned }))) throw new AppError('not-found')
      return access
    })
    await events.exchangeChanged({ ...access, mId }, request.actorId)
  }
}

async function requireRow(tx: Db, access: ChannelAccess, mId: string): Promise<MessageRow> {
  const row = isStorable(mId) ? await findMessage(tx, { ...access, mId }) : undefined
  if (!row) throw new AppError('not-found')
  return row
}

/** Throws channel.not-author. */
async function requireOwnBranch(tx: Db, access: ChannelAccess, mIds: readonly string[]): Promise<void> {
  if (access.role === 'owner') return
  const authors = await authorIdsOf(tx, access, mIds)
  if (authors.some((id) => id !== access.actorId)) throw new AppError('channel.not-author')
}

/** The nearest exchange before this one that stands. */
function standingBefore(tree: Tree, mId: string): string | null {
  for (let exchange = tree.exchanges.get(mId); exchange; ) {
    const run = tree.runs.get(tree.parentOf(exchange) ?? '')
    exchange = run && tree.exchanges.get(run.exchangeId)
    if (exchange && exchange.removedAt === undefined) return exchange.id
  }
  return null
}
