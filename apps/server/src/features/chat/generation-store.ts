import type { Nano, TokenCount } from '@parley/contract/money'
import { and, count, eq, getTableColumns, inArray, isNotNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels, generations, messages } from '../../db/schema'

export type Generation = typeof generations.$inferSelect
/** What the writer of an answer needs to know of its row. */
export type Claim = Pick<Generation, 'messageId' | 'subject' | 'requestHash' | 'owner' | 'storageMode' | 'model' | 'epoch'> &
  /** Of a cloud channel alone: nothing tells which local channel a question was asked in. */
  Partial<Pick<Generation, 'channelId' | 'mId'>>

/**
 * Makes the row of a new answer; one statement, because the person waits for it. False when there is one with this id already, whoever's it is,
 * or when this person has `maxRunning` answers under way.
 */
export async function insertGeneration(db: Db, claim: Claim, maxRunning: number, now: Date): Promise<boolean> {
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

/** Takes back a row whose answer never began. */
export async function deleteGeneration(db: Db, { messageId, subject, epoch }: Pick<Generation, 'messageId' | 'subject' | 'epoch'>): Promise<void> {
  await db
    .delete(generations)
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject), eq(generations.epoch, epoch), eq(generations.status, 'running')))
}

export async function findGeneration(db: Db, subject: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await db
    .select()
    .from(generations)
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject)))
  return row
}

/** Whether the message still stands that a person's answer in a channel belongs to. */
export async function isStanding(db: Db, { messageId, subject }: Pick<Generation, 'messageId' | 'subject'>): Promise<boolean> {
  const rows = await db
    .select({ mId: messages.mId })
    .from(generations)
    .innerJoin(messages, and(eq(messages.channelId, generations.channelId), eq(messages.mId, generations.mId)))
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject)))
  return rows.length > 0
}

/** An answer in a channel that this person owns or is a member of, whoever asked; as long as it is what stands there. */
export async function findShared(db: Db, userId: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await db
    .select(getTableColumns(generations))
    .from(generations)
    .innerJoin(channels, eq(channels.id, generations.channelId))
    .innerJoin(messages, and(eq(messages.channelId, channels.id), eq(messages.mId, generations.mId), eq(messages.runMessageId, generations.messageId)))
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, userId)))
    .where(and(eq(generations.messageId, messageId), or(eq(channels.userId, userId), isNotNull(channelMembers.userId))))
  return row
}

/** Who asked for an answer that is being written in a channel of this owner. */
export async function findAsker(db: Db, ownerId: string, messageId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ subject: generations.subject })
    .from(generations)
    .innerJoin(channels, and(eq(channels.id, generations.channelId), eq(channels.userId, ownerId)))
    .where(and(eq(generations.messageId, messageId), eq(generations.status, 'running')))
  return row?.subject
}

export async function countRunning(db: Db, subject: string): Promise<number> {
  const [row] = await db
    .select({ running: count() })
    .from(generations)
    .where(and(eq(generations.subject, subject), eq(generations.status, 'running')))
  return row?.running ?? 0
}

export async function findRunning(db: Db, subject: string): Promise<string[]> {
  const rows = await db
    .select({ messageId: generations.messageId })
    .from(generations)
    .where(and(eq(generations.subject, subject), eq(generations.status, 'running')))
  return rows.map(({ messageId }) => messageId)
}

/** An answer under way, which nobody else ends until the end of the transaction. Undefined once it is over. */
export async function lockRunning(tx: Db, subject: string, messageId: string): Promise<Generation | undefined> {
  const [row] = await tx
    .select()
    .from(generations)
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject), eq(generations.status, 'running')))
    .for('update')
  return row
}

/** Answers that are being written find their row gone and end without it. */
export async function deleteGenerations(db: Db, subject: string): Promise<void> {
  await db.delete(generations).where(eq(generations.subject, subject))
}

/** Deletes answers that ended before that time, a few at a time, so that no statement takes long. Answers how many. */
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

/** `cost`: what the person was charged, else what the gateway says. */
export type PaidUsage = TokenCount & { cost: Nano | undefined }

type End = {
  messageId: string
  subject: string
  epoch: number
  status: 'completed' | 'stopped' | 'interrupted' | 'failed'
  seq: number
  usage: PaidUsage | undefined
  errorCode: string | undefined
}

/** The one transition out of running. False when somebody else made it: then this writer has been taken over. */
export async function endGeneration(db: Db, { messageId, subject, epoch, status, seq, usage, errorCode }: End, now: Date): Promise<boolean> {
  const rows = await db
    .update(generations)
    .set({ status, seq, inputTokens: usage?.inputTokens, outputTokens: usage?.outputTokens, cost: usage?.cost, errorCode, endedAt: now })
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject), eq(generations.epoch, epoch), eq(generations.status, 'running')))
    .returning({ messageId: generations.messageId })
  return rows.length > 0
}

/** Whether an answer was ended just so by this writer: of another one's end the epoch is later. */
export async function isEndedSo(db: Db, { messageId, subject, epoch, status, seq }: End): Promise<boolean> {
  const row = await findGeneration(db, subject, messageId)
  return row?.epoch === epoch && row.status === status && row.seq === seq
}

/** Says that this node lives; answers the ids that are still its own. */
export async function beat(db: Db, owner: string, messageIds: string[], now: Date): Promise<Set<string>> {
  if (messageIds.length === 0) return new Set()
  const rows = await db
    .update(generations)
    // One that was held up on its way does not make the heart look older than a later one has shown it.
    .set({ heartbeatAt: sql`greatest(${generations.heartbeatAt}, ${now.toISOString()}::timestamptz)` })
    .where(and(inArray(generations.messageId, messageIds), eq(generations.owner, owner), eq(generations.status, 'running')))
    .returning({ messageId: generations.messageId })
  return new Set(rows.map(({ messageId }) => messageId))
}

export type DeadAnswer = Pick<Generation, 'messageId' | 'subject' | 'channelId' | 'mId'>
type Death = { owner: string; deadBefore: Date; living: string[]; isOnlyNode: boolean }

/**
 * Ends one answer that a dead node left running; where there is only one node, every other owner is a former process of it. Undefined when there is none
 * that no other node is just ending. `living`: what the owner itself knows to live. The epoch grows, so that a node that only seemed dead can no longer end it.
 */
export async function takeDead(tx: Db, { owner, deadBefore, living, isOnlyNode }: Death, now: Date): Promise<DeadAnswer | undefined> {
  const isDead = or(lt(generations.heartbeatAt, deadBefore), isOnlyNode ? ne(generations.owner, owner) : undefined)
  const [dead] = await tx
    .select({ messageId: generations.messageId, subject: generations.subject, channelId: generations.channelId, mId: generations.mId })
    .from(generations)
    .where(and(eq(generations.status, 'running'), isDead, notInArray(generations.messageId, living)))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!dead) return undefined
  await tx
    .update(generations)
    .set({ status: 'interrupted', owner, epoch: sql`${generations.epoch} + 1`, errorCode: 'chat.interrupted', endedAt: now })
    .where(and(eq(generations.messageId, dead.messageId), eq(generations.subject, dead.subject)))
  return dead
}

/** What an answer took that was ended in its writer's place. */
export async function noteUsage(tx: Db, { messageId, subject }: Pick<Generation, 'messageId' | 'subject'>, usage: PaidUsage): Promise<void> {
  const { inputTokens, outputTokens, cost } = usage
  await tx
    .update(generations)
    .set({ inputTokens, outputTokens, cost })
    .where(and(eq(generations.messageId, messageId), eq(generations.subject, subject)))
}

/** What is known of what an answer took. */
export function usageOf({ inputTokens, outputTokens, cost }: Pick<Generation, 'inputTokens' | 'outputTokens' | 'cost'>): PaidUsage | undefined {
  return inputTokens === null || outputTokens === null ? undefined : { inputTokens, outputTokens, cost: cost ?? undefined }
}
