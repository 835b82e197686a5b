import type { Message } from '@parley/contract/chat'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database, Db } from '../../db/client'
import { backfills } from '../../db/schema/jobs'
import { messages } from '../../db/schema/messages'
import { breakingAfter } from '../../testing/breaking-database'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { answersFor } from '../../testing/conversation-answers'
import { conversationsBeforeRuns, fillEmbedded, migratedDatabase } from '../../testing/conversations-before-runs'
import { forgetRuns } from '../../testing/forget-runs'
import { Client } from '../../testing/person'
import { isDeep } from '../../testing/seeded'
import { type StoredExchange, shownMessage, storedConversation } from '../../testing/stored-conversation'
import { messageOf } from './public/message-row'
import { messageColumns } from './public/message-store'
import { backfillRuns } from './run-backfill'
import { backfillBatch } from './run-backfill-store'

const { before, writes, after } = conversationsBeforeRuns
const options = { now: Date.now, signal: new AbortController().signal }
const channelsOf = (answers: Record<string, unknown>) =>
  Object.keys(answers).filter((key) => key !== 'conversations' && key !== 'found')
const channelIds = channelsOf(before.ana)

/** What the API tells both people now. */
async function answersNow(database: Database): Promise<typeof before> {
  const startedAt = Date.now()
  const app = await buildTestApp({
    database,
    keepTables: true,
    keepOpen: true,
    env: { RATE_LIMIT_SCALE: '0' },
    now: () => startedAt,
  })
  const answersOf = async (email: string, of: Record<string, unknown>) => {
    const person = new Client(app)
    await person.login(email)
    return answersFor(person, channelsOf(of))
  }
  const answers = {
    ana: await answersOf('ana@example.org', before.ana),
    bruno: await answersOf('bruno@example.org', before.bruno),
  }
  await app.close()
  return answers
}

/** All that is stored of the conversations. Throws where runs and messages do not tell the same. */
async function stored(db: Db): Promise<StoredExchange[][]> {
  const conversations: StoredExchange[][] = []
  for (const id of channelIds) {
    const conversation = await storedConversation(db, id)
    const rows = await db
      .select(messageColumns)
      .from(messages)
      .where(eq(messages.channelId, id))
      .orderBy(asc(messages.position))
    // A base that is no length of a text is not kept in a run.
    const plain = ({ run, ...message }: Message) => ({ ...message, run: run && { ...run, base: 0 } })
    expect(conversation.map(shownMessage).map(plain)).toEqual(rows.map(messageOf).map(plain))
    const path = conversation.map(({ shownId }) => shownId)
    expect(conversation.map(({ exchange }) => exchange.afterRunId)).toEqual([null, ...path].slice(0, path.length))
    conversations.push(conversation)
  }
  return conversations
}

const answersIn = (conversations: StoredExchange[][]): string[] =>
  conversations
    .flat()
    .flatMap(({ exchange, runs }) =>
      runs.map(({ id }) => shownMessage({ exchange, runs, shownId: id }).chat_response.content),
    )

/** As a node of the version before: one statement. */
async function send(db: Db, { text, values }: (typeof writes)[number]): Promise<void> {
  const { $client } = db as Db & { $client: { query(text: string, values: unknown[]): Promise<unknown> } }
  await $client.query(text, values)
}

describe.each(databases)('conversations that the version before runs has stored on %s', (kind) => {
  beforeAll(async () => {
    if (kind === 'pglite') await fillEmbedded()
  })

  it('are told by the API as before, and their runs tell the same', async () => {
    const { database, messagesFile } = await migratedDatabase(kind)
    const { db } = database
    const { rows } = await db.execute(sql`select pg_relation_filepath('messages') as file`)
    expect(rows).toEqual([{ file: messagesFile }])
    // As if it were done: no node begins it.
    await db.insert(backfills).values({ name: 'messages.runs', finishedAt: new Date() })
    expect(await answersNow(database)).toEqual(before)
    await db.delete(backfills)
    await backfillRuns(db, { ...options, size: 7 })
    expect(await answersNow(database)).toEqual(before)
    const conversations = await stored(db)
    expect(conversations.map((each) => each.length)).toEqual([11, 7, 40, 4])
    // What is being regenerated, and what it would replace.
    expect(answersIn(conversations)).toEqual(expect.arrayContaining(['', 'Third ánswer 👍']))
  })

  it.each(kind === 'pglite' ? [3] : isDeep ? [0, 1, 3, 9, 1_000] : [0, 3, 1_000])(
    'are the same after what a node of the version before writes, with a batch of the backfill after every %i of its statements',
    async (statements) => {
      const { database } = await migratedDatabase(kind)
      const { db } = database
      if (statements === 0) await backfillRuns(db, options)
      for (const [index, write] of writes.entries()) {
        await send(db, write)
        if (statements > 0 && index % statements === 0) await backfillBatch(db, 4, new Date())
      }
      await backfillRuns(db, { ...options, size: 5 })
      const conversations = await stored(db)
      // Each answer that was replaced, and those that were begun and replaced before they ended.
      for (const kept of ['A plain answer', 'Anew', 'Anew and on', 'Third ánswer 👍', 'Fourth answer', 'Replacing'])
        expect(answersIn(conversations)).toContain(kept)
      expect(await answersNow(database)).toEqual(after)
    },
  )

  it.skipIf(kind === 'pglite')('are the same wherever the backfill is killed', async () => {
    const { database, url = '' } = await migratedDatabase(kind)
    const { db } = database
    await backfillRuns(db, { ...options, size: 9 })
    await stored(db)
    const whole = await rowsOf(db)
    // Each of them in the full size.
    for (let kill = 1; kill <= 50; kill += isDeep ? 1 : 7) {
      await forgetRuns(db)
      const broken = breakingAfter(url, kill)
      await expect(backfillRuns(broken.db, { ...options, size: 9 })).rejects.toThrow()
      await broken.end()
      await backfillRuns(db, { ...options, size: 9 })
      expect(await rowsOf(db)).toEqual(whole)
    }
  })
})

/** As text, exact to the last digit. */
async function rowsOf(db: Db): Promise<unknown> {
  const linked = sql`select channel_id, m_id, after_run_id from messages order by channel_id, position`
  const { rows } = await db.execute(sql`select r::text as row from runs r order by channel_id, m_id, id`)
  return [rows, (await db.execute(linked)).rows]
}
