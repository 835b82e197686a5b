import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { backfills } from '../../db/schema/jobs'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp, messagesAsking, numbered } from '../../testing/cloud-channels'
import { forgetRuns } from '../../testing/forget-runs'
import { storedConversation } from '../../testing/stored-conversation'
import { backfillRuns } from './run-backfill'
import { backfillBatch } from './run-backfill-store'

const options = { now: Date.now, signal: new AbortController().signal }

/** Two channels: one with gaps, one whose messages are longer than a batch. */
async function filled(kind: (typeof databases)[number]) {
  const startedAt = Date.now()
  // With a clock that stands the app runs the job once, at its start.
  const { app, ana, cloud } = await anApp(kind, () => startedAt)
  await expect.poll(() => progress(app.db)).toMatchObject({ finishedAt: new Date(startedAt) })
  const [{ id: one }, { id: two }] = [await cloud.create(), await cloud.create()]
  const given = messagesAsking(numbered(1, 9))
  await cloud.fill(one, [...given, aMessage({ mId: 'last', status: 'failed', empty: true })])
  await cloud.fill(two, messagesAsking(numbered(1, 25)))
  for (const index of [0, 3, 4]) await ana.send('DELETE', `/api/chat/${given[index]?.mId}?channelId=${one}`)
  const stored = async () => [await storedConversation(app.db, one), await storedConversation(app.db, two)]
  return { app, ana, cloud, one, two, stored }
}

const progress = async (db: Db) => (await db.select().from(backfills))[0]

describe.each(databases)('the backfill of runs on %s', (kind) => {
  it('gives messages of before what new ones have, batch by batch, once, and says in the metrics how far it is', async () => {
    const { app, stored } = await filled(kind)
    const before = await stored()
    expect(before.map((each) => each.length)).toEqual([7, 25])
    await forgetRuns(app.db)
    expect((await stored()).flat().flatMap(({ runs }) => runs)).toEqual([])
    expect(await backfillBatch(app.db, 10, new Date())).toEqual({ rows: 10, isFinished: false })
    const metrics = async () => (await (await app.call('/metrics')).text()).split('\n')
    expect(await metrics()).toEqual(
      expect.arrayContaining(['backfill_rows{name="messages.runs"} 10', 'backfill_finished{name="messages.runs"} 0']),
    )
    await backfillRuns(app.db, { ...options, size: 10 })
    expect(await stored()).toEqual(before)
    expect(await metrics()).toEqual(
      expect.arrayContaining(['backfill_rows{name="messages.runs"} 32', 'backfill_finished{name="messages.runs"} 1']),
    )
    const done = await progress(app.db)
    await backfillRuns(app.db, options)
    expect(await progress(app.db)).toEqual(done)
  })

  it('ends after a batch when its node ends, and goes on from there', async () => {
    const { app, stored } = await filled(kind)
    const before = await stored()
    await forgetRuns(app.db)
    const ending = AbortSignal.abort(new Error('ending'))
    await expect(backfillRuns(app.db, { ...options, size: 5, signal: ending })).rejects.toThrow('ending')
    expect(await progress(app.db)).toMatchObject({ doneRows: 5, finishedAt: null })
    await backfillRuns(app.db, { ...options, size: 5 })
    expect(await stored()).toEqual(before)
  })

  it('leaves in the right order what is added, regenerated and deleted before it comes there', async () => {
    const { app, ana, cloud, one, two, stored } = await filled(kind)
    await forgetRuns(app.db)
    await backfillBatch(app.db, 12, new Date())
    const page = async (id: string) => (await cloud.page(id, 0, 100)).content
    for (const id of [one, two]) {
      const all = await page(id)
      for (const index of [1, 2, 6]) await ana.send('DELETE', `/api/chat/${all[index]?.mId}?channelId=${id}`)
      await cloud.fill(id, messagesAsking(['new', 'newer']))
    }
    await backfillRuns(app.db, { ...options, size: 3 })
    for (const conversation of await stored()) {
      const path = conversation.map(({ shownId }) => shownId)
      expect(conversation.map(({ exchange }) => exchange.afterRunId)).toEqual([null, ...path.slice(0, -1)])
      expect(conversation.map(({ runs }) => runs.length)).toEqual(path.map(() => 1))
    }
  })

  it.skipIf(kind === 'pglite')('waits for no message that somebody is writing, and finishes after them', async () => {
    const { app, stored } = await filled(kind)
    const before = await stored()
    await forgetRuns(app.db)
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`select from ${messages} where ${messages.mId} = 'last' for update`)
      const rows: number[] = []
      for (let batch = 0; batch < 8; batch++) rows.push((await backfillBatch(app.db, 10, new Date())).rows)
      expect(rows.at(-1)).toBe(0)
      expect(await progress(app.db)).toMatchObject({ finishedAt: null })
    })
    await backfillRuns(app.db, { ...options, size: 10 })
    expect(await stored()).toEqual(before)
  })
})
