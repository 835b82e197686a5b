import { and, eq, lt } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { webhookInbox } from '../../db/schema/payments'

type WebhookKey = { provider: 'stripe' | 'mercadopago'; eventId: string }

/** Stores a webhook event. False if it has been processed before. */
export async function receiveEvent(db: Db, { provider, eventId }: WebhookKey, receivedAt: Date): Promise<boolean> {
  await db.insert(webhookInbox).values({ provider, eventId, receivedAt }).onConflictDoNothing()
  const [row] = await db
    .select({ doneAt: webhookInbox.doneAt })
    .from(webhookInbox)
    .where(and(eq(webhookInbox.provider, provider), eq(webhookInbox.eventId, eventId)))
  return row?.doneAt === null
}

export async function finishEvent(db: Db, { provider, eventId }: WebhookKey, doneAt: Date): Promise<void> {
  await db
    .update(webhookInbox)
    .set({ doneAt })
    .where(and(eq(webhookInbox.provider, provider), eq(webhookInbox.eventId, eventId)))
}

export async function deleteOldEvents(db: Db, receivedBefore: Date): Promise<void> {
  await db.delete(webhookInbox).where(lt(webhookInbox.receivedAt, receivedBefore))
}
