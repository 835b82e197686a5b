import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type AnswerParts, answerOf, fieldsBefore, joinedParts } from './answer-parts'
import { isOver, Message, MessageStatus, type Reasoning, type Usage } from './chat'
import { contextOf } from './context'
import { Exchange, Run } from './conversations'
import { messageOf, recordsOf } from './message-adapter'
import { type FilePart, type SourcePart, textOf } from './parts'
import { reasoningOf } from './reasoning'
import { totalUsage } from './usage'

const usage: fc.Arbitrary<Usage> = fc
  .record({ inputTokens: fc.nat(1e6), outputTokens: fc.nat(1e6), cost: fc.option(fc.nat(1e9), { nil: undefined }) })
  .map(({ cost, ...tokens }) => ({ ...tokens, ...(cost === undefined ? {} : { cost: String(cost) }) }))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

const fileId = fc.constantFrom('a', 'b', 'c')
const file: fc.Arbitrary<FilePart> = fc
  .record({
    fileId,
    name: fc.string(),
    reading: fc.constantFrom('whole' as const, 'passages' as const, 'picture' as const),
    sent: maybe(fc.nat()),
    // Of a later version.
    language: maybe(fc.constant('pt')),
  })
  .map((part) => defined({ type: 'file' as const, mediaType: 'text/plain', bytes: 1, ...part }))
const files = fc.uniqueArray(file, { minLength: 1, selector: (part) => part.fileId })
const source: fc.Arbitrary<SourcePart> = fc
  .record({ n: fc.nat(9), title: fc.string(), fileId, page: maybe(fc.nat()), passage: fc.string() })
  .map((part) => defined({ type: 'source' as const, ...part }))
const sources = fc.uniqueArray(source, { minLength: 1, selector: ({ n }) => n })
const reasoning: fc.Arbitrary<Reasoning> = fc.record({ text: fc.string({ minLength: 1 }), ms: fc.nat() })
const answer = fc
  .record({
    text: fc.string(),
    status: fc.constantFrom(...MessageStatus.options),
    empty: maybe(fc.constant(true)),
    error: maybe(fc.record({ code: fc.string(), content: fc.string() })),
    model: maybe(fc.string()),
    assistantId: maybe(fc.option(fc.string())),
    usage: maybe(usage),
    finishReason: maybe(fc.string()),
    durationMs: maybe(fc.nat()),
    reasoning: maybe(reasoning),
    read: maybe(files),
    sources: maybe(sources),
  })
  .map(({ text, ...rest }) => defined({ ...rest, chat_response: { role: 'assistant' as const, content: text } }))
const partsOfBefore: fc.Arbitrary<AnswerParts> = fc
  .record({ reasoning: maybe(reasoning), read: maybe(files), sources: maybe(sources) })
  .map(defined)
const aMessage = fc
  .record({
    answer,
    chat_request: fc.string(),
    files: maybe(files),
    author: maybe(fc.record({ name: fc.string() })),
    forwarded: maybe(fc.constant(true)),
  })
  .map(({ answer: fields, ...rest }) =>
    z.parse(Message, defined({ mId: 'm', channelId: 'c', datetime: '2026-01-01T00:00:00.000Z', ...fields, ...rest })),
  )
// Of 2026-06-28T03:15:47.328Z
const runId = '019f0c39-e000-7000-8000-000000000000'

function roundTrip(message: Message): Message {
  const { exchange, runs } = recordsOf(message, null)
  for (const run of runs) z.parse(Run, run)
  return messageOf({ exchange: z.parse(Exchange, exchange), runs }, runs.at(-1)?.id ?? '')
}

describe('a message of document 3', () => {
  it('becomes an exchange with a run, and is the same again', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        expect(roundTrip(message)).toEqual(message)
      }),
    )
  })

  it('that is written by a run keeps its run', () => {
    fc.assert(
      fc.property(aMessage, fc.nat(), maybe(fc.string()), (message, seq, question) => {
        const run = defined({ messageId: runId, seq, base: 0, question })
        expect(roundTrip({ ...message, run })).toEqual({ ...message, run })
      }),
    )
  })

  it('whose answer is being regenerated has the answer of before beside the new run', () => {
    fc.assert(
      fc.property(aMessage, aMessage, (message, before) => {
        const previous = answerOf(before)
        fc.pre(previous !== undefined && !isOver(message))
        const empty = { ...message, chat_response: { role: 'assistant' as const, content: '' } }
        const asked = { ...empty, run: { messageId: runId, seq: 0, base: 0, ...(previous && { previous }) } }
        const { runs } = recordsOf(asked, null)
        expect(runs.map(({ id }) => id)).toEqual(['m', runId])
        expect(runs.map(({ startedAt }) => startedAt)).toEqual(['2026-01-01T00:00:00.000Z', '2026-06-28T03:15:47.328Z'])
        expect(roundTrip(asked)).toEqual(asked)
      }),
    )
  })

  it('that was continued is two runs, the second of which continues the first, with the text and usage of both', () => {
    fc.assert(
      fc.property(
        aMessage,
        fc.string({ minLength: 1 }),
        usage,
        usage,
        partsOfBefore,
        (message, before, used, own, parts) => {
          fc.pre(isOver(message))
          const whole = totalUsage(used, own)
          const content = before + message.chat_response.content
          const continued: Message = {
            ...message,
            chat_response: { role: 'assistant', content },
            ...(whole && { usage: whole }),
            ...joinedParts(parts, message),
            run: {
              messageId: runId,
              seq: 4,
              base: before.length,
              question: 'Go on',
              used,
              ...fieldsBefore(parts),
            },
          }
          const { runs } = recordsOf(continued, null)
          expect(runs.map(({ answer: parts }) => textOf(parts))).toEqual([before, message.chat_response.content])
          expect(runs.map(({ continues }) => continues)).toEqual([undefined, 'm'])
          expect(runs.map(({ answer: parts }) => reasoningOf(parts))).toEqual([parts.reasoning, message.reasoning])
          expect(roundTrip(continued)).toEqual(continued)
        },
      ),
    )
  })

  it('thought before it answered: thinking stands before the text, and is no part of it', () => {
    const message = z.parse(Message, {
      ...{ mId: 'm', channelId: 'c', chat_request: 'Why?', datetime: '2026-01-01T00:00:00.000Z', status: 'completed' },
      chat_response: { role: 'assistant', content: 'So.' },
      reasoning: { text: 'Hm', ms: 1_200 },
    })
    const [run] = recordsOf(message, null).runs
    expect(run?.answer).toEqual([
      { type: 'reasoning', text: 'Hm', ms: 1_200 },
      { type: 'text', text: 'So.' },
    ])
    expect(textOf(run?.answer ?? [])).toBe('So.')
    expect(contextOf([message])).toEqual([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'So.' },
    ])
  })

  it('keeps what was added to its question, what the model was given and what the answer cites, as parts', () => {
    const file = { type: 'file' as const, fileId: 'f', name: 'lease.pdf', mediaType: 'application/pdf', bytes: 9 }
    const read = { ...file, reading: 'passages' as const, sent: 6, of: 214 }
    const cited = { type: 'source' as const, n: 2, title: 'lease.pdf', fileId: 'f', page: 4, passage: 'Three rents.' }
    const message = z.parse(Message, {
      ...{ mId: 'm', channelId: 'c', chat_request: '', datetime: '2026-01-01T00:00:00.000Z', status: 'completed' },
      files: [{ ...file, reading: 'whole', later: 1 }],
      chat_response: { role: 'assistant', content: 'Three rents [2].' },
      ...{ read: [read], sources: [cited] },
    })
    const { exchange, runs } = recordsOf(message, null)
    expect(exchange.question).toEqual([{ ...file, reading: 'whole', later: 1 }])
    expect(runs[0]?.answer).toEqual([read, cited, { type: 'text', text: 'Three rents [2].' }])
    expect(roundTrip(message)).toEqual(message)
    expect(contextOf([message])[0]?.content).toContain('“lease.pdf”')
  })

  it('whose answer of before had thinking keeps it beside the new run, which has none yet', () => {
    const answered = z.parse(Message, {
      ...{ mId: 'm', channelId: 'c', chat_request: 'Why?', datetime: '2026-01-01T00:00:00.000Z', status: 'completed' },
      chat_response: { role: 'assistant', content: 'So.' },
      reasoning: { text: 'Hm', ms: 1_200 },
    })
    const previous = answerOf(answered)
    const { reasoning: _reasoning, ...rest } = answered
    const empty = { ...rest, status: 'streaming' as const, chat_response: { role: 'assistant' as const, content: '' } }
    const asked = { ...empty, run: { messageId: runId, seq: 2, base: 0, ...(previous && { previous }) } }
    expect(roundTrip(asked)).toEqual(asked)
    const thinking = { ...asked, reasoning: { text: 'Again', ms: 40 } }
    expect(roundTrip(thinking)).toEqual(thinking)
  })

  it('has the same records each time, so that a migration can be repeated', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        expect(recordsOf(message, 'r')).toEqual(recordsOf(message, 'r'))
      }),
    )
  })
})
