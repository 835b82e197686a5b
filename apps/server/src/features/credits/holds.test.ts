import { dollars, formatDollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { anEmptyLedger, testModel as model } from '../../testing/empty-ledger'
import { databases } from '../../testing/test-databases'
import { creditHistory } from './history-service'

describe.each(databases)('the ledger on %s', (kind) => {
  it('keeps nothing aside for whoever has less than 1 dollar, or less than the answer can cost [ST-053, CH-155]', async () => {
    const { person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
    await expect(reserve(await person('0'), '0.01')).rejects.toMatchObject({ code: 'credits.minimum', status: 402 })
    await expect(reserve(await person('0.999999999'), '0.01')).rejects.toMatchObject({ code: 'credits.minimum' })
    const userId = await person('1')
    await expect(reserve(userId, '1.000000001')).rejects.toMatchObject({ code: 'credits.not-enough', status: 402 })
    expect(await spendable(userId)).toBe('1')
    await reserve(userId, '1')
    expect(await spendable(userId)).toBe('0')
    await expect(reserve(userId, '0.000000001')).rejects.toMatchObject({ code: 'credits.not-enough' })
    await expectInOrder()
  })

  it('charges what an answer cost, frees the rest, and says where it went', async () => {
    const { db, clock, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '0.3')
    expect(await spendable(userId)).toBe('4.7')
    clock.now += 2_000
    const usage = { inputTokens: 20, outputTokens: 120 }
    const settled = await holds.settle(db, { userId, messageId, cost: dollars('0.0000047'), usage })
    expect(settled).toEqual({ charged: dollars('0.0000047'), spendable: dollars('4.9999953'), isNew: true })
    expect(await creditHistory(db, userId, { page: 0, size: 10 })).toEqual({
      data: [
        {
          id: expect.stringMatching(/^\d+$/),
          time: '2026-11-21T10:00:02.000Z',
          kind: 'settle',
          amount: '-0.0000047',
          balance: '4.9999953',
          messageId,
          model,
          ...usage,
        },
        {
          id: expect.stringMatching(/^\d+$/),
          time: '2026-11-21T10:00:00.000Z',
          kind: 'grant',
          amount: '5',
          balance: '5',
        },
      ],
      page: 0,
      size: 10,
      total: 2,
    })
    await expectInOrder()
  })

  it('charges a message once, however often its end is told and whatever it is told', async () => {
    const { db, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    const ends = await Promise.all(
      ['0.5', '0.25', '0'].map((cost) => holds.settle(db, { userId, messageId, cost: dollars(cost) })),
    )
    expect(ends.filter((end) => end?.isNew)).toHaveLength(1)
    expect(new Set(ends.map((end) => end?.charged)).size).toBe(1)
    const again = await holds.settle(db, { userId, messageId, cost: dollars('1') })
    expect(again).toEqual({ ...ends[0], isNew: false })
    expect(await holds.chargedFor({ userId, messageId })).toBe(ends[0]?.charged)
    // The question is asked again under the same id: it has been paid.
    expect(await reserve(userId, '1', messageId)).toMatchObject({ isNew: false })
    expect(await spendable(userId)).toBe(formatDollars(ends[0]?.spendable ?? dollars(0)))
    await expectInOrder()
  })

  it('charges nothing for an answer that cost nothing', async () => {
    const { db, holds, person, spendable, reserve, holdStates, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    expect(await holds.settle(db, { userId, messageId, cost: dollars(0) })).toMatchObject({
      charged: dollars(0),
      isNew: true,
    })
    expect(await holdStates()).toEqual(['released'])
    expect(await spendable(userId)).toBe('5')
    expect((await creditHistory(db, userId, { page: 0, size: 10 })).total).toBe(1)
    await expectInOrder()
  })

  it('never charges more than was held: what an answer cost beyond it is the platform’s loss', async () => {
    const { db, ledger, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    expect(await holds.settle(db, { userId, messageId, cost: dollars('1.25') })).toMatchObject({ charged: dollars(1) })
    expect(await spendable(userId)).toBe('4')
    expect((await ledger.check()).sums.map(({ kind, amount }) => [kind, formatDollars(amount)])).toEqual([
      ['platform_loss', '-0.25'],
      ['promo', '-5'],
      ['revenue', '1.25'],
      ['user', '4'],
    ])
    await expectInOrder()
  })

  it('knows no hold of anybody else', async () => {
    const { db, holds, person, spendable, reserve } = await anEmptyLedger(kind)
    const [ana, bob] = [await person('5'), await person('5')]
    const { messageId } = await reserve(ana, '1')
    expect(await holds.settle(db, { userId: bob, messageId, cost: dollars(1) })).toBeUndefined()
    expect(await holds.settleAccrued(db, { userId: bob, messageId })).toBeUndefined()
    expect([...(await holds.extend(db, [{ userId: bob, messageId, cost: dollars(1) }]))]).toEqual([])
    expect(await holds.chargedFor({ userId: bob, messageId })).toBeUndefined()
    expect([await spendable(ana), await spendable(bob)]).toEqual(['4', '5'])
  })

  it('stands or falls with the transaction that it is part of', async () => {
    const { db, holds, person, spendable, reserve, holdStates, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    const broken = db.transaction(async (tx) => {
      await holds.settle(tx, { userId, messageId, cost: dollars(1) })
      await holds.reserve(tx, { userId, messageId: uuidv7(), amount: dollars(2), model })
      throw new Error('the answer could not be stored')
    })
    await expect(broken).rejects.toThrow('could not be stored')
    expect(await spendable(userId)).toBe('4')
    expect(await holdStates()).toEqual(['held'])
    // A refusal leaves the rest of the transaction to its caller.
    await db.transaction(async (tx) => {
      await expect(holds.reserve(tx, { userId, messageId: uuidv7(), amount: dollars(9), model })).rejects.toMatchObject(
        { code: 'credits.not-enough' },
      )
      await holds.settle(tx, { userId, messageId, cost: dollars('0.5') })
    })
    expect(await spendable(userId)).toBe('4.5')
    await expectInOrder()
  })

  describe('a hold that nobody ends', () => {
    it('is charged what its answer had produced, and only once by nodes that sweep together', async () => {
      const { db, clock, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      expect([
        ...(await holds.extend(db, [
          { userId, messageId, cost: dollars('0.2'), usage: { inputTokens: 10, outputTokens: 50 } },
        ])),
      ]).toEqual([messageId])
      // A note that comes late takes nothing back.
      await holds.extend(db, [{ userId, messageId, cost: dollars('0.1') }])
      clock.now += 59_000
      expect(await holds.sweep()).toBe(0)
      clock.now += 2_000
      const swept = await Promise.all([holds.sweep(), holds.sweep(), holds.sweep()])
      expect(swept.reduce((sum, each) => sum + each)).toBe(1)
      expect(await spendable(userId)).toBe('4.8')
      expect(await holds.settle(db, { userId, messageId, cost: dollars('0.9') })).toMatchObject({
        charged: dollars('0.2'),
        isNew: false,
      })
      expect([...(await holds.extend(db, [{ userId, messageId, cost: dollars('0.9') }]))]).toEqual([])
      await expectInOrder()
    })

    it('is free again when nothing had come', async () => {
      const { clock, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('5')
      await Promise.all(Array.from({ length: 4 }, () => reserve(userId, '1')))
      clock.now += 61_000
      expect(await holds.sweep()).toBe(4)
      expect(await spendable(userId)).toBe('5')
      await expectInOrder()
    })

    it('is ended at once by whoever finds its answer dead', async () => {
      const { db, holds, person, spendable, reserve } = await anEmptyLedger(kind)
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await holds.extend(db, [{ userId, messageId, cost: dollars('0.4') }])
      expect(await holds.settleAccrued(db, { userId, messageId })).toMatchObject({
        charged: dollars('0.4'),
        isNew: true,
      })
      expect(await spendable(userId)).toBe('4.6')
    })

    it('is left alone while its answer is under way, and ended when that is over', async () => {
      const { db, clock, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await reserve(userId, '2')
      await holds.extend(db, [{ userId, messageId, cost: dollars('0.2') }])
      const row = {
        messageId,
        subject: `user:${userId}`,
        requestHash: 'h',
        owner: 'a node',
        model,
        storageMode: 'local' as const,
      }
      await db.insert(generations).values({ ...row, status: 'running', heartbeatAt: new Date(clock.now) })
      clock.now += 61_000
      // The other one belongs to no answer.
      expect(await holds.sweep()).toBe(1)
      expect(await spendable(userId)).toBe('4')
      await db.update(generations).set({ status: 'interrupted' })
      expect(await holds.sweep()).toBe(1)
      expect(await spendable(userId)).toBe('4.8')
      await expectInOrder()
    })

    it('is named by the check when no sweeper comes', async () => {
      const { db, clock, ledger, person, reserve } = await anEmptyLedger(kind)
      await reserve(await person('5'), '1')
      clock.now += 22 * 60_000
      const [{ id } = { id: '' }] = await db.select({ id: ledgerHolds.id }).from(ledgerHolds)
      expect((await ledger.check()).findings).toEqual([{ rule: 'every open hold is alive', id }])
    })
  })
})
