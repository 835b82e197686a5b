import type { Message } from '@parley/contract/chat'
import { messageOf as messageOfRun } from '@parley/contract/message-adapter'
import type { Db } from '../../../db/client'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import { type PathStep, pathToHead } from '../path-store'
import { exchangeOf } from '../run-row'
import { runsOf } from '../version-store'
import { type MessageRow, messageOf, shownRunOf } from './message-row'
import { messagesOf, newestMessages } from './message-store'

/** What somebody reads of a channel; undefined where it has no branches: all of it, in the order of the positions. */
export async function readPath(
  db: Db,
  { headRunId, ...which }: OwnedChannel & { headRunId: string | null },
): Promise<PathStep[] | undefined> {
  return headRunId === null ? undefined : (await pathToHead(db, which, headRunId)).path
}

/** The newest messages before a position, newest first: of a path, or of a channel without branches (undefined). */
export async function newestOfPath(
  db: Db,
  which: OwnedChannel,
  path: readonly PathStep[] | undefined,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<MessageRow[]> {
  if (!path) return newestMessages(db, which, { limit, before })
  const steps = path.filter(({ position }) => before === undefined || position < before).slice(-limit)
  return (
    await messagesOf(
      db,
      which,
      steps.map(({ mId }) => mId),
    )
  ).reverse()
}

/** The messages of rows, each with the run that a path goes through: where it goes, and not where the row shows it. */
export async function shownMessages(
  db: Db,
  which: OwnedChannel,
  rows: readonly MessageRow[],
  path: readonly PathStep[] = [],
): Promise<Message[]> {
  const onPath = new Map(path.map(({ mId, runId }) => [mId, runId]))
  const isShownElsewhere = (row: MessageRow): boolean => (onPath.get(row.mId) ?? shownRunOf(row)) !== shownRunOf(row)
  const mIds = rows.filter(isShownElsewhere).map(({ mId }) => mId)
  const runs = await runsOf(db, which, mIds)
  return rows.map((row) => {
    const runId = onPath.get(row.mId)
    const ofExchange = runs.filter(({ exchangeId }) => exchangeId === row.mId)
    if (runId === undefined || !ofExchange.some(({ id }) => id === runId)) return messageOf(row)
    const { run, ...message } = messageOfRun({ exchange: exchangeOf(row), runs: ofExchange }, runId)
    // What a run replaces and what it goes on with used is known where runs are read, and nowhere else.
    const { previous: _previous, used: _used, ...sent } = run ?? { messageId: '', seq: 0, base: 0 }
    return run ? { ...message, run: sent } : message
  })
}
