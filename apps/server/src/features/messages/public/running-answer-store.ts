import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { generations } from '../../../db/schema/chat'
import { subjectOf } from '../../../plugins/people'

/** An answer that is being written for the person or visitor `subject`. */
export type RunningAnswer = { messageId: string; subject: string }
/** In a channel: of this message. */
type RunningInChannel = RunningAnswer & { mId: string | null }

const columns = { messageId: generations.messageId, subject: generations.subject, mId: generations.mId }
/** A statement takes at most 65,535 parameters. */
const chunkSize = 10_000

/** The answers that are being written for this person in this channel. */
export async function runningAnswersFor(db: Db, userId: string, channelId: string): Promise<RunningInChannel[]> {
  return db
    .select(columns)
    .from(generations)
    .where(
      and(
        eq(generations.channelId, channelId),
        eq(generations.status, 'running'),
        eq(generations.subject, subjectOf({ userId })),
      ),
    )
}

/** The answers that are being written in these channels; with `mId` only those of this message. */
export async function runningAnswersIn(
  db: Db,
  channelIds: readonly string[],
  mId?: string,
): Promise<RunningInChannel[]> {
  const found: RunningInChannel[] = []
  for (let from = 0; from < channelIds.length; from += chunkSize) {
    const rows = await db
      .select(columns)
      .from(generations)
      .where(
        and(
          inArray(generations.channelId, channelIds.slice(from, from + chunkSize)),
          eq(generations.status, 'running'),
          mId === undefined ? undefined : eq(generations.mId, mId),
        ),
      )
    found.push(...rows)
  }
  return found
}
