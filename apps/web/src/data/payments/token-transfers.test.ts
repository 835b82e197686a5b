import 'fake-indexeddb/auto'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aPayment, PaymentShop } from '../../testing/payment-shop'
import { aUser, seedSession } from '../../testing/seed-session'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { onTransferEnd, resumeTransfers, type Transfer, type TransferEnd, trackTransfer } from './token-transfers'

const { id: userId } = aUser()
const ends: TransferEnd[] = []
const recordId = 'token-transfers'
let shop: PaymentShop
let stop = (): void => undefined

beforeEach(async () => {
  shop = new PaymentShop()
  globalThis.fetch = shop.fetch
  ends.length = 0
  stop = onTransferEnd((end) => ends.push(end))
  await seedSession()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
})
afterEach(async () => {
  stop()
  vi.useRealTimers()
  await (await openDevice()).db.delete('meta', recordId)
  forgetSession()
  localStorage.clear()
})

let lastHash = 0

/** One for a payment that the shop knows. */
function aTransfer(): Transfer {
  const { id, token } = shop.put(aPayment('token', {}, Date.now()))
  lastHash += 1
  return {
    paymentId: id,
    hash: `0x${String(lastHash).padStart(64, '0')}`,
    chainId: 8453,
    expiresAt: token?.expires_at ?? '',
  }
}

const kept = async (): Promise<unknown> =>
  JSON.parse((await (await openDevice()).db.get('meta', recordId))?.value ?? '[]')
const reports = () => shop.pathsOf('POST').length
const reportsAre = (count: number) => waitFor(() => expect(reports()).toBe(count))
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const unconfirmed = { status: 409, code: 'payment.unconfirmed', retryAfter: 4 }

it('is told to the server again every few seconds until its blocks are there, and is kept on the device until then', async () => {
  const transfer = aTransfer()
  shop.refuse('POST', unconfirmed, unconfirmed)
  await trackTransfer(userId, transfer)
  await reportsAre(1)
  expect(shop.calls.at(-1)).toMatchObject({
    path: `POST /api/billing/payment/${transfer.paymentId}/transaction`,
    body: { hash: transfer.hash },
  })
  expect(await kept()).toEqual([transfer])
  await pass(3_900)
  expect(reports()).toBe(1)
  await pass(200)
  await reportsAre(2)
  await pass(4_000)
  await reportsAre(3)
  await waitFor(() => expect(ends).toEqual([{ transfer, state: { kind: 'paid' } }]))
  await waitFor(async () => expect(await kept()).toEqual([]))
})

it('is told again by the next page, once, when the one that sent it is gone', async () => {
  const transfer = aTransfer()
  const { db } = await openDevice()
  await db.put('meta', { id: recordId, value: JSON.stringify([transfer]) })
  shop.refuse('POST', unconfirmed)
  await Promise.all([resumeTransfers(userId), resumeTransfers(userId)])
  await reportsAre(1)
  await pass(4_100)
  await waitFor(() => expect(ends).toEqual([{ transfer, state: { kind: 'paid' } }]))
  expect(reports()).toBe(2)
})

it.each([
  ['the network is away', 'no network'],
  ['the server is restarted', { status: 503, code: 'unavailable' }],
  ['its chain cannot be read', { status: 502, code: 'payment.token-unavailable' }],
  ['there were too many calls', { status: 429, code: 'rate-limited', retryAfter: 3 }],
  ['its node does not see the transfer when the time is just over', { status: 410, code: 'payment.expired' }],
] as const)('is not given up while %s', async (_case, refusal) => {
  const transfer = aTransfer()
  shop.onReport = (id) => shop.change(id, {})
  shop.refuse('POST', refusal, refusal)
  await trackTransfer(userId, transfer)
  await reportsAre(1)
  await pass(8_100)
  await reportsAre(2)
  expect(await kept()).toEqual([transfer])
  expect(ends).toEqual([])
  shop.onReport = (id) => shop.change(id, { status: 'completed' })
  await pass(16_100)
  await waitFor(() => expect(ends).toHaveLength(1))
})

it.each(['payment.token-failed', 'payment.wrong-account', 'payment.wrong-network'] as const)(
  'ends when the server says for good that it pays nothing: %s',
  async (code) => {
    const transfer = aTransfer()
    shop.refuse('POST', { status: 400, code })
    await trackTransfer(userId, transfer)
    await waitFor(() => expect(ends).toEqual([{ transfer, state: { kind: 'refused', code } }]))
    await waitFor(async () => expect(await kept()).toEqual([]))
    await pass(120_000)
    expect(reports()).toBe(1)
  },
)

it('ends as expired once its time is long over', async () => {
  const transfer = { ...aTransfer(), expiresAt: new Date(Date.now() - 11 * 60_000).toISOString() }
  shop.refuse('POST', { status: 410, code: 'payment.expired' })
  await trackTransfer(userId, transfer)
  await waitFor(() => expect(ends).toEqual([{ transfer, state: { kind: 'refused', code: 'payment.expired' } }]))
})

it('waits for its sender to come back when they sign out, and is told for nobody else', async () => {
  const transfer = aTransfer()
  shop.refuse('POST', unconfirmed)
  await trackTransfer(userId, transfer)
  await reportsAre(1)
  const another = await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000002' }))
  await pass(60_000)
  await resumeTransfers(another.id)
  expect(reports()).toBe(1)
  expect(await kept()).toEqual([])
  await seedSession()
  await resumeTransfers(userId)
  await waitFor(() => expect(ends).toHaveLength(1))
})

it('leaves what is no transfer of ours alone', async () => {
  const { db } = await openDevice()
  for (const value of ['nonsense', '{}', '[{"hash":1}]']) {
    await db.put('meta', { id: recordId, value })
    await resumeTransfers(userId)
  }
  expect(reports()).toBe(0)
})
