import { type OutboxEntry, outbox } from '../channels/outbox'

/**
 * Stops and abandons the runs of entries. The entries are removed in between: a run that starts meanwhile finds none.
 */
export async function dropRuns(
  isOfThem: (entry: OutboxEntry) => boolean,
  { stop, abandon }: Record<'stop' | 'abandon', (messageId: string) => void>,
): Promise<void> {
  const messageIds = (await outbox.list()).filter(isOfThem).map(({ body }) => body.messageId)
  for (const messageId of messageIds) stop(messageId)
  for (const messageId of messageIds) await outbox.remove(messageId)
  for (const messageId of messageIds) abandon(messageId)
}
