import type { Nano, TokenCount } from '@parley/contract/money'
import { and, count, eq, getTableColumns, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import { generations } from '../../db/schema/chat'
import { messages } from '../../db/schema/messages'

export type Generation = typeof generations.$inferSelect
/** What the node that writes an answer knows of its row. `epoch` fences a former owner off. */
export type GenerationClaim = Pick<
  Generation,
  'messageId' | 'subject' | 'requestHash' | 'owner' | 'storageMode' | 'model' | 'epoch'
> &
  /** Only for a cloud channel: nothing on the server tells which local channel a question belongs to. */
  Partial<Pick<Generation, 'channelId' | 'mId'>>

/**
 * Inserts the row of a new answer in one statement, because the visitor is waiting. False when the message id is taken,
 * by whomever, or when the visitor has `maxRunning` running answers.
 */
export async function insertGeneration(
  db: Db,
  claim: GenerationClaim,
  maxRunning: number,
  now: Date,
): Promise<boolean> {
  const { messageId, subject, requestHash, owner, storageMode, model, epoch, channelId = null, mId = null } = claim
  const at = now.toISOString()
  const { rowCount } = await db.execute(sql`
    insert into generations (message_id, subject, request_hash, status, owner, epoch, heartbeat_at, storage_mode, model, channel_id, m_id, created_at)
    select ${messageId}::uuid, ${subject}, ${requestHash}, 'running', ${owner}, ${epoch}::int, ${at}::timestamptz, ${storageMode}, ${model}, ${channelId}::text, ${mId}::text,
      ${at}::timestamptz
    where (select count(*) from generations where subject = ${subject} and status = 'running') < ${maxRunning}::int
    on conflict do nothing`)
  return rowCount === 1
}

/** Deletes the row of a running answer. */
export async function deleteGeneration(
  db: Db,
  { messageId, subject, epoch }: Pick<Generation, 'messageId' | 'subject' | 'epoch'>,
): Promise<void> {
  await db
    .delete(generations)
    .where(
      and(
        eq(generations.messageId, messageId),
        eq(generations.subject, subject),
        eq(generations.epoch, epoch),
        eq(generations.status, 'running'),
      ),
    )
}

export async function findGeneration(db: Db, subject: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await db
    .select()
    .from(generations)
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject)))
  return row
}

/** Whether the message of an answer in a cloud channel still exists. */
export async function hasMessage(
  db: Db,
  { messageId, subject }: Pick<Generation, 'messageId' | 'subject'>,
): Promise<boolean> {
  const rows = await db
    .select({ mId: messages.mId })
    .from(generations)
    .innerJoin(messages, and(eq(messages.channelId, generations.channelId), eq(messages.mId, generations.mId)))
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject), isNull(messages.removedAt)))
  return rows.length > 0
}

/** The current run of a message in a channel that this person owns or is a member of, whoever asked. */
export async function findInSharedChannel(db: Db, userId: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await db
    .select(getTableColumns(generations))
    .from(generations)
    .innerJoin(channels, eq(channels.id, generations.channelId))
    .innerJoin(
      messages,
      and(
        eq(messages.channelId, channels.id),
        eq(messages.mId, generations.mId),
        eq(messages.runMessageId, generations.messageId),
        isNull(messages.removedAt),
      ),
    )
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, userId)))
    .where(and(eq(generations.messageId, messageId), or(eq(channels.userId, userId), isNotNull(channelMembers.userId))))
  return row
}

/** A running answer in a channel of this owner, whoever asked. */
export async function findRunningInOwnChannel(
  db: Db,
  ownerId: string,
  messageId: string,
): Promise<{ messageId: string; subject: string } | undefined> {
  const [row] = await db
    .select({ messageId: generations.messageId, subject: generations.subject })
    .from(generations)
    .innerJoin(channels, and(eq(channels.id, generations.channelId), eq(channels.userId, ownerId)))
    .where(and(eq(generations.messageId, messageId), eq(generations.status, 'running')))
  return row
}

export async function countRunning(db: Db, subject: string): Promise<number> {
  const [row] = await db
    .select({ running: count() })
    .from(generations)
    .where(and(eq(generations.subject, subject), eq(generations.status, 'running')))
  return row?.running ?? 0
}

export async function runningIdsOf(db: Db, subject: string): Promise<string[]> {
  const rows = await db
    .select({ messageId: generations.messageId })
    .from(generations)
    .where(and(eq(generations.subject, subject), eq(generations.status, 'running')))
  return rows.map(({ messageId }) => messageId)
}

/** Locks a running answer until the transaction ends. Undefined once it is over. */
export async function lockRunning(tx: Db, subject: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await tx
    .select()
    .from(generations)
    .where(
      and(eq(generations.messageId, messageId), eq(generations.subject, subject), eq(generations.status, 'running')),
    )
    .for('update')
  return row
}

/** Runs whose rows are deleted end without storing anything. */
export async function deleteGenerations(db: Db, subject: string): Promise<void> {
  await db.delete(generations).where(eq(generations.subject, subject))
}

/** Deletes in batches, so that no statement takes long. Returns how many rows it deleted. */
export async function deleteOldGenerations(db: Db, endedBefore: Date, batch = 1_000): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await db.execute(sql`
      delete from generations where message_id in (
        select message_id from generations where ended_at < ${endedBefore.toISOString()}::timestamptz order by ended_at limit ${batch}::int
        for update skip locked)`)
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < batch) return deleted
  }
}

/** `cost` is what the person was charged; undefined while the gateway has not reported it. */
export type AnswerUsage = TokenCount & { cost: Nano | undefined }

type GenerationEnd = {
  messageId: string
  subject: string
  epoch: number
  status: 'completed' | 'stopped' | 'interrupted' | 'failed'
  seq: number
  usage: AnswerUsage | undefined
  errorCode: string | undefined
}

/** The only transition out of `running`. False when another node has taken the answer over and made it. */
export async function endGeneration(
  db: Db,
  { messageId, subject, epoch, status, seq, usage, errorCode }: GenerationEnd,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(generations)
    .set({
      status,
      seq,
      inputTokens: usage?.inputTokens,
      outputTokens: usage?.outputTokens,
      cost: usage?.cost,
      errorCode,
      endedAt: now,
    })
    .where(
      and(
        eq(generations.messageId, messageId),
        eq(generations.subject, subject),
        eq(generations.epoch, epoch),
        eq(generations.status, 'running'),
      ),
    )
    .returning({ messageId: generations.messageId })
  return rows.length > 0
}

/** Whether this end is stored. Another node's end has a later epoch. */
export async function isEndStored(db: Db, { messageId, subject, epoch, status, seq }: GenerationEnd): Promise<boolean> {
  const row = await findGeneration(db, subject, messageId)
  return row?.epoch === epoch && row.status === status && row.seq === seq
}

/** Renews the leases of a node's answers. Returns the ids that are still its own. */
export async function renewLeases(db: Db, owner: string, messageIds: string[], now: Date): Promise<Set<string>> {
  if (messageIds.length === 0) return new Set()
  const rows = await db
    .update(generations)
    // A delayed heartbeat must not set back the time of a later one.
    .set({ heartbeatAt: sql`greatest(${generations.heartbeatAt}, ${now.toISOString()}::timestamptz)` })
    .where(
      and(inArray(generations.messageId, messageIds), eq(generations.owner, owner), eq(generations.status, 'running')),
    )
    .returning({ messageId: generations.messageId })
  return new Set(rows.map(({ messageId }) => messageId))
}

export type OrphanedGeneration = Pick<Generation, 'messageId' | 'subject' | 'channelId' | 'mId'>
type OrphanQuery = { owner: string; expiredBefore: Date; activeIds: string[]; isOnlyNode: boolean }

/**
 * Ends one orphaned answer: its lease has expired or, where this is the only node, its owner was a former process.
 * `activeIds` are the answers that the calling node writes itself. Skips rows that another node is taking. The epoch
 * grows, so that a suspended owner can no longer end the answer.
 */
export async function takeOrphan(
  tx: Db,
  { owner, expiredBefore, activeIds, isOnlyNode }: OrphanQuery,
  now: Date,
): Promise<OrphanedGeneration | undefined> {
  const isOrphaned = or(
    lt(generations.heartbeatAt, expiredBefore),
    isOnlyNode ? ne(generations.owner, owner) : undefined,
  )
  const [orphan] = await tx
    .select({
      messageId: generations.messageId,
      subject: generations.subject,
      channelId: generations.channelId,
      mId: generations.mId,
    })
    .from(generations)
    .where(and(eq(generations.status, 'running'), isOrphaned, notInArray(generations.messageId, activeIds)))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!orphan) return undefined
  await tx
    .update(generations)
    .set({
      status: 'interrupted',
      owner,
      epoch: sql`${generations.epoch} + 1`,
      errorCode: 'chat.interrupted',
      endedAt: now,
    })
    .where(and(eq(generations.messageId, orphan.messageId), eq(generations.subject, orphan.subject)))
  return orphan
}

/** Stores the usage of an answer that was charged after its end. */
export async function updateUsage(
  tx: Db,
  { messageId, subject }: Pick<Generation, 'messageId' | 'subject'>,
  usage: AnswerUsage,
): Promise<void> {
  const { inputTokens, outputTokens, cost } = usage
  await tx
    .update(generations)
    .set({ inputTokens, outputTokens, cost })
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject)))
}

/** Undefined where no tokens were stored. */
export function usageOfRow({
  inputTokens,
  outputTokens,
  cost,
}: Pick<Generation, 'inputTokens' | 'outputTokens' | 'cost'>): AnswerUsage | undefined {
  return inputTokens === null || outputTokens === null
    ? undefined
    : { inputTokens, outputTokens, cost: cost ?? undefined }
}
