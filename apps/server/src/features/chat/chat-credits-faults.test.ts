import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ledgerHolds } from '../../db/schema/credits'
import { databases, type TestApp } from '../../testing/build-test-app'
import { type ChatClient, Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson } from '../../testing/person'
import { processTimeout } from '../../testing/run-source'
import { runsOf } from '../../testing/seeded'
import { LedgerService } from '../credits/public/ledger'

const model = 'stand-in/large'
type Step =
  | { kind: 'ask'; person: number; how: string }
  | { kind: 'repeat' | 'stop' | 'resume'; person: number; which: number }
  | { kind: 'reconnect' | 'gift'; person: number }
  | { kind: 'sweep' }

const person = fc.nat(2)
const which = fc.nat(9)
const Steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('ask' as const),
        person,
        how: fc.constantFrom('', '#cost', '#empty', '#error', '#cut', '#early', '#slow'),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('repeat' as const, 'stop' as const, 'resume' as const),
        person,
        which,
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('reconnect' as const, 'gift' as const), person }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  ),
  { minLength: 20, maxLength: 60 },
)

/** Everything that three people with little money do at the same time. */
async function live(app: TestApp, steps: readonly Step[]): Promise<void> {
  const ledger = new LedgerService({ db: app.db, now: Date.now })
  const name = uuidv7()
  const people = await Promise.all(
    [0, 1, 2].map(async (number) => {
      const client = await aPerson(app, `${name}-${number}@example.org`)
      const visitor = new Visitor(client.tokens?.access_token)
      return {
        userId: client.answer.user.id,
        visitor,
        sockets: [await visitor.connect(app)],
        asked: new Map<string, string>(),
        had: dollars('1.1'),
      }
    }),
  )
  const socketOf = ({ sockets }: (typeof people)[number]): ChatClient => sockets.at(-1) as ChatClient
  for (const step of steps) {
    if (step.kind === 'sweep') {
      await aHoldService(app.db).sweep()
      continue
    }
    const one = people[step.person]
    if (!one) continue
    const old = 'which' in step ? [...one.asked.keys()][step.which] : undefined
    if (step.kind === 'ask') {
      const messageId = uuidv7()
      one.asked.set(messageId, `${step.how} question`)
      socketOf(one).ask(`${step.how} question`, { messageId, model })
    } else if (step.kind === 'repeat' && old) socketOf(one).ask(one.asked.get(old) ?? '', { messageId: old, model })
    else if (step.kind === 'stop' && old) socketOf(one).send({ event: 'stop-message', messageId: old })
    else if (step.kind === 'resume' && old) socketOf(one).send({ event: 'resume', messageId: old, afterSeq: 0 })
    else if (step.kind === 'reconnect') {
      socketOf(one).cut()
      one.sockets.push(await one.visitor.connect(app))
    } else if (step.kind === 'gift') {
      await ledger.grant(app.db, { userId: one.userId, amount: dollars('0.01'), key: uuidv7() })
      one.had = plus(one.had, dollars('0.01'))
    }
  }
  for (const one of people) {
    // Whatever did not reach the server with a socket that was cut is asked now, so that each question has an end.
    const last = await one.visitor.connect(app)
    for (const [messageId, question] of one.asked) last.ask(question, { messageId, model })
    for (const messageId of one.asked.keys()) last.send({ event: 'stop-message', messageId })
    const ends = await Promise.all([...one.asked.keys()].map((id) => last.untilOver(id)))
    const holds = await app.db.select().from(ledgerHolds).where(eq(ledgerHolds.model, model))
    const mine = holds.filter(({ messageId }) => one.asked.has(messageId))
    expect(new Set(mine.map(({ messageId }) => messageId)).size).toBe(mine.length)
    expect(mine.filter(({ state }) => state === 'held')).toEqual([])
    const paid = mine.reduce((sum: Nano, { charged }) => plus(sum, charged ?? dollars(0)), dollars(0))
    expect(await ledger.balance(one.userId)).toBe(minus(one.had, paid))
    // What an answer said that it cost is what was paid for it.
    for (const end of ends)
      if (end.event === 'end' || end.event === 'stopped') {
        const hold = mine.find(({ messageId }) => messageId === end.messageId)
        expect(end.message.usage?.cost ?? '0').toBe(String(hold?.charged))
      }
  }
  expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
}

describe.each(databases)(
  'credits and everything that goes wrong in chats, on %s',
  { timeout: processTimeout },
  (kind) => {
    it('charges each answer once and what it cost, whatever is asked, repeated, stopped, resumed and cut at the same time', async () => {
      const app = await buildChatApp({ kind, bus: 'memory' }, { env: { SIGNUP_CREDITS: '1.1', RATE_LIMIT_SCALE: '0' } })
      await fc.assert(
        fc.asyncProperty(Steps, (steps) => live(app, steps)),
        { numRuns: runsOf(8), endOnFailure: true },
      )
    })
  },
)
