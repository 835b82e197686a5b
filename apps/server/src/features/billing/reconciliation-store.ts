import { uuidv7 } from '@parley/contract/uuid'
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments, reconFindings, sharedJobs } from '../../db/payments-schema'
import type { LedgerMark } from './ledger-check-store'
import type { PaymentRow } from './payment-store'

/** `subject`: the id of what is wrong. */
export type Finding = { rule: string; subject: string }
export type OpenFinding = Finding & { foundAt: Date }

/** True for one node, once in `everyMs`. */
export async function claimJob(db: Db, name: string, { now, everyMs }: { now: Date; everyMs: number }): Promise<boolean> {
  const last = new Date(now.getTime() - everyMs)
  const rows = await db
    .insert(sharedJobs)
    .values({ name, begunAt: now })
    .onConflictDoUpdate({ target: sharedJobs.name, set: { begunAt: now }, setWhere: lt(sharedJobs.begunAt, last) })
    .returning({ name: sharedJobs.name })
  return rows.length > 0
}

/** The mark undefined: the next check looks at everything. */
export async function jobSucceeded(db: Db, name: string, { at, mark }: { at: Date; mark?: LedgerMark | undefined }): Promise<void> {
  const done = { succeededAt: at, markEntry: mark?.entry ?? null, markAt: mark?.at ?? null }
  await db
    .insert(sharedJobs)
    .values({ name, begunAt: at, ...done })
    .onConflictDoUpdate({ target: sharedJobs.name, set: done })
}

export async function lastSuccess(db: Db, name: string): Promise<{ at: Date | undefined; mark: LedgerMark | undefined }> {
  const [row] = await db.select().from(sharedJobs).where(eq(sharedJobs.name, name))
  const { succeededAt = null, markEntry = null, markAt = null } = row ?? {}
  return { at: succeededAt ?? undefined, mark: markEntry === null || markAt === null ? undefined : { entry: markEntry, at: markAt } }
}

/** Payments of a method, whoever's, whose credits were granted for what came in between these times. */
export async function creditedPayments(db: Db, method: PaymentRow['method'], { since, until }: { since: Date; until: Date }): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.method, method), isNotNull(payments.creditedAt), gte(payments.createdAt, since), lt(payments.createdAt, until)))
    .orderBy(asc(payments.createdAt))
}

/** Notes what was found by these rules, and closes what they do not find any more. Answers what is new. */
export async function noteFindings(db: Db, { rules, findings, at }: { rules: readonly string[]; findings: readonly Finding[]; at: Date }): Promise<Finding[]> {
  const { rule, subject, closedAt } = reconFindings
  return db.transaction(async (tx) => {
    const isFound = (row: Finding): boolean => findings.some((one) => one.rule === row.rule && one.subject === row.subject)
    const open =
      rules.length === 0
        ? []
        : await tx
            .select()
            .from(reconFindings)
            .where(and(inArray(rule, [...rules]), isNull(closedAt)))
    for (const row of open) {
      const seen = isFound(row) ? { seenAt: at } : { closedAt: at }
      await tx.update(reconFindings).set(seen).where(eq(reconFindings.id, row.id))
    }
    if (findings.length === 0) return []
    return tx
      .insert(reconFindings)
      .values(findings.map((finding) => ({ id: uuidv7(), ...finding, foundAt: at, seenAt: at })))
      .onConflictDoNothing()
      .returning({ rule, subject })
  })
}

export async function openFindings(db: Db): Promise<OpenFinding[]> {
  const { rule, subject, foundAt, closedAt } = reconFindings
  return db.select({ rule, subject, foundAt }).from(reconFindings).where(isNull(closedAt)).orderBy(asc(foundAt), asc(rule), asc(subject))
}
