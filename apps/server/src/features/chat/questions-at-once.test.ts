import { AppError } from '@parley/contract/errors'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { messages } from '../../db/schema/messages'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { anAnswerNode, model, sharedDatabase } from '../../testing/answer-node'
import { databases } from '../../testing/build-test-app'
import { processTimeout } from '../../testing/run-source'
import { runsOf } from '../../testing/seeded'
import { aChannel, idOf } from '../../testing/shared-channel'
import { LedgerService } from '../credits/public/ledger'

const who = fc.nat(1)
const which = fc.nat(5)
const Steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), who, node: who }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('regenerate' as const, 'continue' as const, 'repeat' as const),
        who,
        node: who,
        which,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), who, which }) },
  ),
  { minLength: 5, maxLength: 15 },
)
type Step = typeof Steps extends fc.Arbitrary<(infer S)[]> ? S : never

/** Why a question may be refused that meets others. */
const refusals = ['not-found', 'conflict', 'channel.not-author', 'chat.message-id-taken']

describe.each(databases)('questions of two people to two nodes at once, on %s', { timeout: processTimeout }, (kind) => {
  it('are each answered and paid once or refused, whatever is regenerated, continued, repeated and deleted', async () => {
    const { app, ana, aMember, id: channelId } = await aChannel(kind, { database: await sharedDatabase(kind) })
    const { db } = app
    const people = [ana, await aMember('bruno', 'write')]
    const ledger = new LedgerService({ db, now: Date.now })
    for (const each of people) await ledger.grant(db, { userId: idOf(each), amount: dollars(1_000), key: idOf(each) })
    const bus = new MemoryBus()
    onTestFinished(() => bus.close())
    const nodes = [anAnswerNode(db, { bus }), anAnswerNode(db, { bus })]
    const asked = { storageMode: 'cloud' as const, channelId, model }

    const live = async (steps: readonly Step[]): Promise<void> => {
      const questions = Array.from({ length: 6 }, () => uuidv7())
      const begun = new Set<string>()
      let next = 0
      const take = async (step: Step): Promise<void> => {
        const person = people[step.who] ?? ana
        const mId = 'which' in step ? (questions[step.which] ?? '') : (questions[next++ % questions.length] ?? '')
        if (step.kind === 'delete') return void (await person.send('DELETE', `/api/chat/${mId}?channelId=${channelId}`))
        const isNew = step.kind === 'ask' || step.kind === 'repeat'
        const more = isNew ? { messageId: mId } : { mId, isContinuation: step.kind === 'continue' }
        // The text of a question is its id's, so that a repetition is one.
        const id = await nodes[step.node]?.ask(idOf(person), `Question ${mId}`, { ...asked, ...more }).catch(refusedAs)
        if (typeof id === 'string') begun.add(id)
      }
      await Promise.all(steps.map(take))
      await expect.poll(async () => (await db.select().from(generations)).filter(isRunning)).toEqual([])

      const rows = await db.select().from(generations)
      expect(new Set(rows.map(({ messageId }) => messageId))).toEqual(begun)
      expect(rows.filter(({ status }) => status !== 'completed' && status !== 'stopped')).toEqual([])
      const stored = await db.select().from(messages)
      expect(stored.filter(({ status }) => status === 'streaming')).toEqual([])
      expect(new Set(stored.map(({ position }) => position)).size).toBe(stored.length)
      const holds = await db.select().from(ledgerHolds)
      expect(holds.filter(({ messageId }) => begun.has(messageId))).toHaveLength(begun.size)
      const requests = nodes.flatMap(({ llm }) => llm.requests.splice(0))
      // A run that is replaced before it asks the model does not ask it.
      expect(requests.length).toBeLessThanOrEqual(begun.size)
      expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
      await db.delete(generations)
      await db.delete(messages)
    }
    await fc.assert(fc.asyncProperty(Steps, live), { numRuns: runsOf(60), endOnFailure: true })
  })
})

const isRunning = ({ status }: { status: string }): boolean => status === 'running'

function refusedAs(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
  expect(refusals).toContain(error.code)
}
