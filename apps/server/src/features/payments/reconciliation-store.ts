import { uuidv7 } from '@parley/contract/uuid'
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/schema/payments'
import { reconFindings, sharedJobs } from '../../db/schema/reconciliation'
import type { LedgerMark } from '../credits/public/ledger-check'
import type { PaymentRow } from './payment-store'

/** A difference that a rule has found; `subject` is the id of the payment, transfer, hold, account or transaction. */
export type Finding = { rule: string; subject: string }
export type OpenFinding = Finding & { foundAt: Date }

/** Claims a periodic job: true for one of all nodes, once per `everyMs`. */
export async function claimJob(
  db: Db,
  name: string,
  { now, everyMs }: { now: Date; everyMs: number },
): Promise<boolean> {
  const before = new Date(now.getTime() - everyMs)
  const rows = await db
    .insert(sharedJobs)
    .values({ name, begunAt: now })
    .onConflictDoUpdate({ target: sharedJobs.name, set: { begunAt: now }, setWhere: lt(sharedJobs.begunAt, before) })
    .returning({ name: sharedJobs.name })
  return rows.length > 0
}

/** Stores the success of a job. Without a mark, the next ledger check covers everything. */
export async function storeSuccess(
  db: Db,
  name: string,
  { at, mark }: { at: Date; mark?: LedgerMark | undefined },
): Promise<void> {
  const done = { succeededAt: at, markEntry: mark?.entry ?? null, markAt: mark?.at ?? null }
  await db
    .insert(sharedJobs)
    .values({ name, begunAt: at, ...done })
    .onConflictDoUpdate({ target: sharedJobs.name, set: done })
}

export async function lastSuccess(
  db: Db,
  name: string,
): Promise<{ at: Date | undefined; mark: LedgerMark | undefined }> {
  const [row] = await db.select().from(sharedJobs).where(eq(sharedJobs.name, name))
  const { succeededAt = null, markEntry = null, markAt = null } = row ?? {}
  return {
    at: succeededAt ?? undefined,
    mark: markEntry === null || markAt === null ? undefined : { entry: markEntry, at: markAt },
  }
}

/** The credited payments of a method that were created between these times, of all people. */
export async function listCreditedPayments(
  db: Db,
  method: PaymentRow['method'],
  { since, until }: { since: Date; until: Date },
): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.method, method),
        isNotNull(payments.creditedAt),
        gte(payments.createdAt, since),
        lt(payments.createdAt, until),
      ),
    )
    .orderBy(asc(payments.createdAt))
}

/** Stores what these rules found, closes earlier findings that they did not find again, and returns the new ones. */
export async function storeFindings(
  db: Db,
  { rules, findings, at }: { rules: readonly string[]; findings: readonly Finding[]; at: Date },
): Promise<Finding[]> {
  const { rule, subject, closedAt } = reconFindings
  return db.transaction(async (tx) => {
    const isFound = (row: Finding): boolean =>
      findings.some((finding) => finding.rule === row.rule && finding.subject === row.subject)
    const open =
      rules.length === 0
        ? []
        : await tx
            .select()
            .from(reconFindings)
            .where(and(inArray(rule, [...rules]), isNull(closedAt)))
    for (const row of open) {
      const change = isFound(row) ? { seenAt: at } : { closedAt: at }
      await tx.update(reconFindings).set(change).where(eq(reconFindings.id, row.id))
    }
    if (findings.length === 0) return []
    return tx
      .insert(reconFindings)
      .values(findings.map((finding) => ({ id: uuidv7(), ...finding, foundAt: at, seenAt: at })))
      .onConflictDoNothing()
      .returning({ rule, subject })
  })
}

export async function listOpenFindings(db: Db): Promise<OpenFinding[]> {
  const { rule, subject, foundAt, closedAt } = reconFindings
  return db
    .select({ rule, subject, foundAt })
    .from(reconFindings)
    .where(isNull(closedAt))
    .orderBy(asc(foundAt), asc(rule), asc(subject))
}
