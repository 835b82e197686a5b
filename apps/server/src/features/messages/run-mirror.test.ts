import { answerOf } from '@parley/contract/answer-parts'
import { Answer, isOver, type Message, MessageStatus } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import { recordsOf } from '@parley/contract/message-adapter'
import { joinedReasoning } from '@parley/contract/reasoning'
import { uuidv7 } from '@parley/contract/uuid'
import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp } from '../../testing/cloud-channels'
import { shownMessage, storedConversation } from '../../testing/stored-conversation'
import { importedRow, messageOf } from './public/message-row'
import { appendMessages, messageColumns } from './public/message-store'

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

/** With what PostgreSQL cannot store, characters of two units, and what looks like an escape. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom('a', '\n', '"', '\\', '\\u0000', '\u0000', '\u0001', '👩', '\ud83d', '\udc69', '\ue000', 'é'),
    )
    .map((parts) => parts.join('')),
)
const isoDate = fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString())
const runId = fc.oneof(
  fc.nat(4e12).map((ms) => uuidv7(ms)),
  fc.uuid(),
)
/** `mark`: what is thought before an answer does not begin what is thought for another one. */
const reasoning = (mark: string) => fc.record({ text: text.map((thought) => `${mark}${thought}`), ms: fc.nat(1e9) })
const answerOn = (mark: string) =>
  fc
    .record({
      text,
      reasoning: maybe(reasoning(mark)),
      status: fc.constantFrom(...MessageStatus.options),
      empty: maybe(fc.constant(true)),
      error: maybe(fc.record({ code: text, content: text })),
      model: maybe(text),
      assistantId: maybe(text),
      usage: maybe(
        fc
          .record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cost: maybe(fc.bigInt(0n, 10n ** 17n).map(String)) })
          .map(defined),
      ),
      finishReason: maybe(text),
      durationMs: maybe(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
    })
    .map(({ text: content, ...rest }) => defined({ ...rest, chat_response: { role: 'assistant' as const, content } }))
const message = fc
  .record({
    answer: answerOn('own '),
    chat_request: text,
    datetime: fc.oneof(isoDate, text),
    run: maybe(
      fc.record({
        messageId: runId,
        seq: fc.nat(),
        base: fc.oneof(fc.nat(14), fc.constantFrom(-1, 0.5, 1e300)),
        question: maybe(text),
        previous: maybe(answerOn('previous ')),
        thought: maybe(reasoning('thought ')),
      }),
    ),
    isFirstRun: fc.boolean(),
  })
  .map(({ answer: given, run, isFirstRun, ...rest }): Message => {
    const fields = run?.thought ? { ...given, reasoning: joinedReasoning(run.thought, given.reasoning) } : given
    const mId = isFirstRun && run ? run.messageId : uuidv7()
    return aMessage({ ...fields, ...rest, mId, ...(run ? { run: defined(run) as NonNullable<Message['run']> } : {}) })
  })

describe.each(databases)('the runs of messages on %s', (kind) => {
  it('are those that the translation of messages makes, whatever is written', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    const userId = ana.answer.user.id
    let position = 0
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (given, isUpdated) => {
        const row = {
          ...importedRow(given, channelId, new Date()),
          status: statusOf(given),
          previous: previousOf(given),
        }
        const first = isUpdated ? { ...row, answer: '', status: 'streaming' as const, runBase: 0, previous: null } : row
        await appendMessages(app.db, { userId, channelId }, position++, [first])
        const isIt = and(eq(messages.channelId, channelId), eq(messages.mId, given.mId))
        if (isUpdated) await app.db.update(messages).set(row).where(isIt)
        const [stored] = await app.db.select(messageColumns).from(messages).where(isIt)
        if (!stored) throw new Error('not stored')
        const shown = messageOf(stored)
        const conversation = await storedConversation(app.db, channelId)
        const [exchange] = conversation
        if (!exchange) throw new Error('no exchange')
        const previous = row.previous === null ? undefined : Answer.parse(JSON.parse(row.previous))
        const asRun = shown.run && previous ? { ...shown, run: { ...shown.run, previous } } : shown
        const expected = recordsOf(asRun, null)
        await app.db.delete(messages)
        const shownId = expected.runs.at(-1)?.id
        // Without times in their ids nothing tells which of two runs is the older one.
        expect({ ...exchange, runs: byId(exchange.runs) }).toEqual({ ...expected, runs: byId(expected.runs), shownId })
        // The usage of a message that goes on with an answer includes that of the answer; any two do not.
        if (previous && exchange.runs.some(({ continues }) => continues !== undefined)) return
        expect({ ...shownMessage(exchange), run: undefined }).toEqual({ ...shown, run: undefined })
      }),
      { numRuns: kind === 'pglite' ? 100 : 400 },
    )
  })
})

describe.each(databases)('an answer that the mirror cannot read on %s', (kind) => {
  it('is stored all the same, whole, as the run that is shown', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    const given = aMessage({ mId: uuidv7(), run: { messageId: uuidv7(), seq: 3, base: 2 } })
    const row = importedRow(given, channelId, new Date())
    const unreadable = [
      { previous: 'no JSON' },
      { previous: '{"chat_response":{"content":"x"},"durationMs":"long"}' },
      { previous: '{"chat_response":{"content":"x"},"usage":{"cost":"99999999999999999999"}}' },
      { answer: '\u0001"\\u12x"', runBase: 2 },
    ]
    for (const [position, fields] of unreadable.entries()) {
      const mId = uuidv7()
      const broken = { runBase: 0, ...fields, mId }
      await appendMessages(app.db, { userId: ana.answer.user.id, channelId }, position, [{ ...row, ...broken }])
      const stored = await app.db.select().from(runs).where(eq(runs.mId, mId))
      expect(stored.map(({ id, answer: text }) => [id, text])).toEqual([
        [row.runMessageId, 'answer' in fields ? fields.answer : row.answer],
      ])
    }
  })
})

const byId = (runs: Run[]): Run[] => runs.toSorted((a, b) => (a.id < b.id ? -1 : 1))
const statusOf = ({ status }: Message) => (status === 'queued' || status === 'sent' ? ('streaming' as const) : status)
function previousOf({ run }: Message): string | null {
  const previous = run?.previous && answerOf({ ...aMessage(), ...run.previous })
  return previous && isOver(previous) ? JSON.stringify(previous) : null
}
