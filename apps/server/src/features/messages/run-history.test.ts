import { uuidv7 } from '@parley/contract/uuid'
import { and, asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp } from '../../testing/cloud-channels'
import { type StoredExchange, shownMessage, storedConversation } from '../../testing/stored-conversation'
import { readContext } from './public/exchange-context'
import { addUsage, type Exchange, endExchange, interruptExchange, savePartial } from './public/exchange-end'
import { startExchange } from './public/exchange-start'
import { messageOf } from './public/message-row'
import { messageColumns } from './public/message-store'

const texts = fc.constantFrom('', ' ', 'One', 'Two 👩‍👩‍👧', 'Thr\u0000ee', '\u0001four', '"five\\\n"')
const reasoning = fc.option(
  fc.record({ text: fc.constantFrom('Hm', 'So\u0000 "be it\\', 'Let me see 👩‍👩‍👧'), ms: fc.nat(9_999) }),
  { nil: undefined },
)
const usage = fc.record({ inputTokens: fc.nat(90), outputTokens: fc.nat(90), cost: fc.nat(9_999).map(String) })
/** Few, so that one exchange is answered often. */
const which = fc.nat(1)
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), question: fc.constantFrom('Why?', 'How?') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('regenerate' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('continue' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const), which, text: texts, reasoning }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which,
      text: texts,
      reasoning,
      usage: fc.option(usage, { nil: undefined }),
      status: fc.constantFrom('completed' as const, 'stopped' as const, 'interrupted' as const, 'failed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('orphan' as const),
      which,
      text: fc.option(texts, { nil: undefined }),
      reasoning,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cost' as const), which, usage }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), texts: fc.array(texts, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Take = Exclude<Step, { do: 'import' | 'delete' }>
type Channel = { userId: string; channelId: string }

/** Does the step as the server does it; skips one that is not possible. */
async function take(db: Db, step: Take, channel: Channel, open: Map<string, Exchange>): Promise<void> {
  const at = new Date()
  const isInChannel = eq(messages.channelId, channel.channelId)
  const all = await db.select(messageColumns).from(messages).where(isInChannel).orderBy(asc(messages.position))
  const row = 'which' in step ? all[step.which % Math.max(1, all.length)] : undefined
  const ids = { ...channel, actorId: channel.userId, messageId: uuidv7(), model: 'some/model', assistantId: undefined }
  const running = [...open.values()]
  const run = 'which' in step ? running.at(-1 - step.which) : undefined
  const { question } = step.do === 'ask' ? step : { question: 'Again?' }
  switch (step.do) {
    case 'ask':
    case 'regenerate':
    case 'continue': {
      if (step.do !== 'ask' && !row) return
      const request = { ...ids, question, mId: row?.mId, isContinuation: step.do === 'continue' }
      const context = await readContext(db, request, 1_000)
      const { exchange } = await db.transaction((tx) =>
        startExchange(tx, request, { ...context, sent: context.path }, at),
      )
      open.set(exchange.messageId, exchange)
      return
    }
    case 'save':
      return run && savePartial(db, run, { text: step.text, reasoning: step.reasoning, seq: 3 })
    case 'end': {
      if (!run) return
      open.delete(run.messageId)
      const { status, text, reasoning, usage: used } = step
      const end = { status, text, reasoning, seq: 5, isEmpty: text.trim() === '', error: undefined, usage: used }
      return db.transaction((tx) => endExchange(tx, run, { ...end, finishReason: undefined, durationMs: 7 }, at))
    }
    case 'orphan': {
      if (!run) return
      open.delete(run.messageId)
      const shown = step.text === undefined ? undefined : { text: step.text, reasoning: step.reasoning, seq: 9 }
      await db.transaction((tx) => interruptExchange(tx, run, { code: 'chat.interrupted', content: '' }, shown, at))
      return
    }
    case 'cost':
      return row && addUsage(db, { ...channel, mId: row.mId, messageId: '' }, step.usage)
  }
}

describe.each(databases)('what has been answered in a cloud channel on %s', (kind) => {
  it('stays as runs of their own in whatever order it is asked, stopped, regenerated and continued', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { db } = app
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('One', ''),
        fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }),
        async (first, steps) => {
          const { id: channelId } = await cloud.create()
          const channel = { userId: ana.answer.user.id, channelId }
          const open = new Map<string, Exchange>()
          const versions = new Map<string, Version>()
          if (first !== '')
            await cloud.fill(channelId, [aMessage({ chat_response: { role: 'assistant', content: first } })])
          for (const each of steps) {
            if (each.do === 'import') {
              const imported = each.texts.map((text) => aMessage({ chat_request: text }))
              if (imported.length > 0) await cloud.fill(channelId, imported)
            } else if (each.do === 'delete') {
              const { content } = await cloud.page(channelId, 0, 100)
              const mId = content[each.which % Math.max(1, content.length)]?.mId
              if (mId !== undefined) await ana.send('DELETE', `/api/chat/${mId}?channelId=${channelId}`)
            } else {
              const ending = each.do === 'end' ? [...open.values()].at(-1 - each.which) : undefined
              await take(db, each, channel, open)
              // One that was replaced stands as interrupted, and gets its whole text where none goes on with it.
              const replaced = versions.get(ending?.messageId ?? '')
              if (each.do === 'end' && ending && replaced && !(await isContinued(db, ending)))
                versions.set(ending.messageId, { ...replaced, text: ending.baseText + each.text })
            }
            await expectWhole(db, channelId, versions)
          }
          await db.delete(messages).where(eq(messages.channelId, channelId))
        },
      ),
      { numRuns: 25 },
    )
  })
})

async function isContinued(db: Db, { channelId, messageId }: Exchange): Promise<boolean> {
  const isNext = and(eq(runs.channelId, channelId), eq(runs.continues, messageId))
  return (await db.select({ id: runs.id }).from(runs).where(isNext)).length > 0
}

type Version = { exchangeId: string; text: string }

/** Compares what is stored with what is shown. `versions`: each run that was seen ended before. */
async function expectWhole(db: Db, channelId: string, versions: Map<string, Version>): Promise<void> {
  const isInChannel = eq(messages.channelId, channelId)
  const rows = await db.select(messageColumns).from(messages).where(isInChannel).orderBy(asc(messages.position))
  const conversation = await storedConversation(db, channelId)
  expect(conversation.map(shownMessage)).toEqual(rows.map(messageOf))
  const path = conversation.map(({ shownId }) => shownId)
  if (await hasBranches(db, channelId)) expectOlderParents(conversation)
  else expect(conversation.map(({ exchange }) => exchange.afterRunId)).toEqual([null, ...path].slice(0, path.length))

  const stored = new Map<string, Version>()
  for (const { exchange, runs, shownId } of conversation) {
    // The one that was begun last.
    expect(runs.at(-1)?.id).toBe(shownId)
    for (const { id, status } of runs) {
      if (status === 'streaming') expect(id).toBe(shownId)
      else stored.set(id, { exchangeId: exchange.id, text: wholeText({ exchange, runs }, id) })
    }
  }
  const standing = new Set(
    conversation.filter(({ exchange }) => exchange.removedAt === undefined).map(({ exchange }) => exchange.id),
  )
  for (const [id, version] of versions) if (standing.has(version.exchangeId)) expect(stored.get(id)).toEqual(version)
  for (const [id, version] of stored) versions.set(id, version)
}

async function hasBranches(db: Db, channelId: string): Promise<boolean> {
  const [channel] = await db.select().from(channels).where(eq(channels.id, channelId))
  return channel?.headRunId !== null
}

/** Each follows nothing, or a run of an exchange that was asked before it. */
function expectOlderParents(conversation: readonly StoredExchange[]): void {
  const older = new Set<string | null>([null])
  for (const { exchange, runs } of conversation) {
    expect(older).toContain(exchange.afterRunId)
    for (const { id } of runs) older.add(id)
  }
}

const wholeText = (exchange: Omit<StoredExchange, 'shownId'>, id: string): string =>
  shownMessage({ ...exchange, shownId: id }).chat_response.content
