import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { databaseKind, emptyTables, testDatabase } from '../../testing/test-databases'
import { deleteOldGenerations } from './generation-store'

describe('what is kept of answers', () => {
  it('goes once they have been over for long, whatever their number, and never while they are being written', async () => {
    const { db } = await testDatabase(databaseKind)
    await emptyTables(db)
    const [old, recent] = [new Date('2026-01-01'), new Date('2026-06-01')]
    const row = (endedAt: Date | null) => ({
      ...{
        messageId: uuidv7(),
        subject: 'anon:a',
        requestHash: 'h',
        owner: 'n',
        model: 'm',
        storageMode: 'local' as const,
      },
      ...{ status: endedAt ? ('completed' as const) : ('running' as const), heartbeatAt: old, createdAt: old, endedAt },
    })
    const kept = [row(recent), row(null)]
    await db.insert(generations).values([...Array.from({ length: 7 }, () => row(old)), ...kept])
    expect(await deleteOldGenerations(db, recent, 3)).toBe(7)
    const left = await db.select({ messageId: generations.messageId }).from(generations)
    expect(left.map(({ messageId }) => messageId).sort()).toEqual(kept.map(({ messageId }) => messageId).sort())
    const { rows } = await db.execute<{ indexdef: string }>(
      "select indexdef from pg_indexes where indexname = 'generations_ended'",
    )
    expect(rows).toHaveLength(1)
  })
})
