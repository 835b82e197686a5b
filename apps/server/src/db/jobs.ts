import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from './client'
import { jobs } from './schema/jobs'

/** `key` names what it is about: the same job enqueued twice is one. */
export type NewJob = { kind: string; key: string; payload?: unknown; dueAt: Date }

/** `attempts`: this one included, since the last success. */
export type Job = { kind: string; key: string; payload: unknown; attempts: number }

/** Who holds a job: `node` is fenced off once another one has taken the lease. */
export type Lease = { kind: string; key: string; node: string }

export type JobState = {
  kind: string
  /** Due or later, failed ones left out. */
  waiting: number
  /** Attempted in vain at least once, and tried again. */
  retrying: number
  /** Given up. */
  failed: number
  /** When the oldest that waits was due; undefined without one. */
  oldestDueAt: Date | undefined
  succeededAt: Date | undefined
}

/** Nobody holds it, or whoever did is gone. */
const isFree = (now: Date): SQL | undefined => or(isNull(jobs.leasedUntil), lt(jobs.leasedUntil, now))

const isHeldBy = ({ kind, key, node }: Lease): SQL | undefined =>
  and(eq(jobs.kind, kind), eq(jobs.key, key), eq(jobs.leasedBy, node))

const isNotFailed = isNull(jobs.failedAt)
const unleased = { leasedBy: null, leasedUntil: null }

/** In the transaction of what it follows: with it or not at all. False: it is enqueued already. */
export async function enqueueJob(db: Db, { kind, key, payload = {}, dueAt }: NewJob, now: Date): Promise<boolean> {
  const rows = await db
    .insert(jobs)
    .values({ kind, key, payload, dueAt, createdAt: now })
    .onConflictDoNothing()
    .returning({ kind: jobs.kind })
  return rows.length > 0
}

/** Whoever holds it learns so when the lease is renewed. */
export async function deleteJob(db: Db, { kind, key }: Pick<Job, 'kind' | 'key'>): Promise<void> {
  await db.delete(jobs).where(and(eq(jobs.kind, kind), eq(jobs.key, key)))
}

/** Sees to it that what is repeated has its row. */
export async function ensureJobs(db: Db, repeated: { kind: string; dueAt: Date }[], now: Date): Promise<void> {
  if (repeated.length === 0) return
  const rows = repeated.map(({ kind, dueAt }) => ({ kind, key: '', payload: {}, dueAt, createdAt: now }))
  await db.insert(jobs).values(rows).onConflictDoNothing()
}

/** What is repeated is due now at the latest, whatever the node before did. */
export async function hastenJobs(db: Db, kinds: string[], now: Date): Promise<void> {
  if (kinds.length === 0) return
  await db
    .update(jobs)
    .set({ dueAt: now })
    .where(and(inArray(jobs.kind, kinds), gt(jobs.dueAt, now), isFree(now)))
}

/** Takes the job that has been due for longest, for one node, until its lease ends. */
export async function leaseJob(
  db: Db,
  { kinds, node, until }: { kinds: string[]; node: string; until: Date },
  now: Date,
): Promise<Job | undefined> {
  if (kinds.length === 0) return undefined
  const due = db
    .select({ kind: jobs.kind, key: jobs.key })
    .from(jobs)
    .where(and(inArray(jobs.kind, kinds), lte(jobs.dueAt, now), isFree(now), isNotFailed))
    .orderBy(asc(jobs.dueAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [job] = await db
    .update(jobs)
    .set({ leasedBy: node, leasedUntil: until, attempts: sql`${jobs.attempts} + 1` })
    .where(sql`(${jobs.kind}, ${jobs.key}) in (${due})`)
    .returning({ kind: jobs.kind, key: jobs.key, payload: jobs.payload, attempts: jobs.attempts })
  return job
}

/** False: another node has the job now. */
export async function renewLease(db: Db, lease: Lease, until: Date): Promise<boolean> {
  const rows = await db.update(jobs).set({ leasedUntil: until }).where(isHeldBy(lease)).returning({ kind: jobs.kind })
  return rows.length > 0
}

/** What was enqueued is gone with its success; what is repeated is due again. */
export async function completeJob(db: Db, lease: Lease, now: Date, nextAt?: Date): Promise<void> {
  if (nextAt === undefined) await db.delete(jobs).where(isHeldBy(lease))
  else
    await db
      .update(jobs)
      .set({ ...unleased, dueAt: nextAt, attempts: 0, succeededAt: now })
      .where(isHeldBy(lease))
}

/** Undefined `retryAt`: nobody tries again. What it held is forgotten, its row tells the operator. */
export async function failJob(db: Db, lease: Lease, now: Date, retryAt: Date | undefined): Promise<void> {
  const change = retryAt === undefined ? { failedAt: now, payload: {} } : { dueAt: retryAt }
  await db
    .update(jobs)
    .set({ ...unleased, ...change })
    .where(isHeldBy(lease))
}

/** The node ends before the work does: the attempt does not count, another node may begin at once. */
export async function releaseJob(db: Db, lease: Lease): Promise<void> {
  await db
    .update(jobs)
    .set({ ...unleased, attempts: sql`greatest(${jobs.attempts} - 1, 0)` })
    .where(isHeldBy(lease))
}

/** When there is something to do next: a job is due, or the lease of a node that may be gone ends. */
export async function nextJobAt(db: Db, kinds: string[]): Promise<Date | undefined> {
  if (kinds.length === 0) return undefined
  const [row] = await db
    .select({ at: sql`min(greatest(${jobs.dueAt}, ${jobs.leasedUntil}))`.mapWith(jobs.dueAt) })
    .from(jobs)
    .where(and(inArray(jobs.kind, kinds), isNotFailed))
  return row?.at ?? undefined
}

/** Forgets the jobs that were given up before this time. */
export async function deleteFailedJobs(db: Db, before: Date): Promise<void> {
  await db.delete(jobs).where(and(isNotNull(jobs.failedAt), lt(jobs.failedAt, before)))
}

/** For the operator, of each kind that has a row. */
export async function jobStates(db: Db): Promise<JobState[]> {
  const rows = await db
    .select({
      kind: jobs.kind,
      waiting: sql<string>`count(*) filter (where ${jobs.failedAt} is null)`,
      retrying: sql<string>`count(*) filter (where ${jobs.failedAt} is null and ${jobs.attempts} > 1)`,
      failed: sql<string>`count(*) filter (where ${jobs.failedAt} is not null)`,
      oldestDueAt: sql`min(${jobs.dueAt}) filter (where ${jobs.failedAt} is null)`.mapWith(jobs.dueAt),
      succeededAt: sql`max(${jobs.succeededAt})`.mapWith(jobs.dueAt),
    })
    .from(jobs)
    .groupBy(jobs.kind)
  return rows.map(({ kind, waiting, retrying, failed, oldestDueAt, succeededAt }) => ({
    kind,
    waiting: Number(waiting),
    retrying: Number(retrying),
    failed: Number(failed),
    oldestDueAt: oldestDueAt ?? undefined,
    succeededAt: succeededAt ?? undefined,
  }))
}
