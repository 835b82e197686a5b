import type { Run } from '@parley/contract/conversations'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import type { Part } from '@parley/contract/parts'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'

/** With what PostgreSQL cannot store as text. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(fc.constantFrom('a', '\n', '\\u0000', '\u0000', '\u0001', '👩', '\ud83d', 'é')).map((all) => all.join('')),
)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const part = fc.oneof(
  text.map((each): Part => ({ type: 'text', text: each })),
  fc.record({ text, ms: fc.nat(1e9) }).map((each): Part => ({ type: 'reasoning', ...each })),
  fc.record({ n: fc.nat(9), title: text, url: text, passage: text }).map((each): Part => ({ type: 'source', ...each })),
  fc.record({ code: text }).map((each): Part => ({ type: 'notice', ...each })),
  // Of a later version.
  text.map((more) => ({ type: 'hologram', more }) as unknown as Part),
)
/** Mostly what answers are today: thinking, then text. */
const parts = fc.oneof(
  { arbitrary: fc.array(part, { maxLength: 4 }), weight: 1 },
  {
    arbitrary: fc
      .record({ thought: maybe(text), said: text })
      .map(({ thought, said }): Part[] => [
        ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: thought, ms: 5 }]),
        ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
      ]),
    weight: 3,
  },
)

const run = fc.record({
  answer: parts,
  status: fc.constantFrom('completed' as const, 'stopped' as const, 'interrupted' as const, 'failed' as const),
  isEmpty: maybe(fc.constant(true as const)),
  error: maybe(fc.record({ code: text, content: text })),
  model: maybe(text),
  agentId: maybe(text),
  usage: maybe(fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cost: fc.nat().map(String) })),
  finishReason: maybe(text),
  durationMs: maybe(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
  prompt: maybe(text),
  seq: maybe(fc.nat(1_000)),
  /** Goes on with the run before it. */
  isContinuation: fc.boolean(),
  /** Whether its id is the exchange's, as that of most first runs. */
  hasOwnId: fc.boolean(),
  ms: fc.nat(4e12),
})

const exchange = fc.record({
  question: parts,
  runs: fc.array(run, { minLength: 1, maxLength: 4 }),
  /** What it follows: one of the runs so far, by a share, or nothing. */
  after: fc.double({ min: 0, max: 1, noNaN: true }),
  isNext: fc.boolean(),
  isPinned: maybe(fc.constant(true as const)),
  isForwarded: maybe(fc.constant(true as const)),
  author: maybe(text.map((name) => ({ name }))),
})

const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

/** Trees in the order of asking, read up to some run. `isLine`: without branches, and only of newest runs. */
export const randomTree = (isLine = false): fc.Arbitrary<ConversationCopy> =>
  fc
    .record({ items: fc.array(exchange, { maxLength: 7 }), head: fc.double({ min: 0, max: 0.999, noNaN: true }) })
    .map(({ items, head }) => {
      const exchanges: ExchangeWithRuns[] = []
      const all: Run[] = []
      let time = 0
      for (const { runs: given, after, isNext, ...fields } of items) {
        const id = uuidv7(Date.parse('2026-01-01T00:00:00.000Z') + time)
        const channelId = 'elsewhere'
        const last = exchanges.at(-1)?.runs.at(-1)
        const parent = isLine || isNext ? last : all[Math.floor(after * (all.length + 1)) - 1]
        const askedAt = new Date(Date.parse('2026-01-01T00:00:00.000Z') + time++).toISOString()
        const runs: Run[] = []
        for (const [index, { isContinuation, hasOwnId, ms, ...rest }] of given.entries()) {
          const startedAt = new Date(Date.parse('2026-01-01T00:00:00.000Z') + time++).toISOString()
          const before = runs.at(-1)
          const ids = { id: index === 0 && hasOwnId ? id : uuidv7(ms), channelId, exchangeId: id, startedAt }
          runs.push(defined({ ...rest, ...ids, ...(isContinuation && before ? { continues: before.id } : {}) }) as Run)
        }
        all.push(...runs)
        exchanges.push({
          exchange: defined({ ...fields, id, channelId, afterRunId: parent?.id ?? null, askedAt }),
          runs,
        })
      }
      return { exchanges, head: isLine ? null : (all[Math.floor(head * all.length)]?.id ?? null) }
    })
