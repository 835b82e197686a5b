import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { aPayment, leaveShop, PaymentShop } from '../../testing/payment-shop'
import { aUser, seedSession } from '../../testing/seed-session'
import { callsEnded } from '../api/api'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { createWorkspace } from '../workspace'
import { createPayment, explorerUrl, refreshPayments, usePayments } from './payments'

afterEach(() => {
  leaveShop()
  forgetSession()
})

const hash = `0x${'34'.repeat(32)}`

function aShop(...ages: number[]): PaymentShop {
  const shop = new PaymentShop()
  for (const [index, age] of ages.entries()) shop.put(aPayment('pix', { amount: index + 1 }, Date.now() - age))
  globalThis.fetch = shop.fetch
  return shop
}

const client = new QueryClient()
createWorkspace({ queryClient: client })
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)

function Amounts() {
  return (
    <p>
      {usePayments()
        .data?.map(({ amount }) => amount)
        .join(' ')}
    </p>
  )
}

it('are listed newest first, whatever the order that the server has them in [ST-159]', async () => {
  aShop(3_000, 1_000, 2_000)
  await seedSession()
  render(<Amounts />, { wrapper })
  expect(await screen.findByText('2 3 1')).toBeTruthy()
})

it('are asked for again when one is made, and when somebody says so', async () => {
  const shop = aShop()
  await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000003' }))
  render(<Amounts />, { wrapper })
  await callsEnded()
  await createPayment({ amount: 7, method: 'card', key: 'one' })
  expect(await screen.findByText('7')).toBeTruthy()
  shop.put(aPayment('card', { amount: 8 }, Date.now() + 1_000))
  refreshPayments()
  expect(await screen.findByText('8 7')).toBeTruthy()
})

it('are nobody’s while nobody is signed in', async () => {
  const shop = aShop()
  const { result } = renderHook(() => usePayments(), { wrapper })
  expect(result.current.fetchStatus).toBe('idle')
  expect(shop.calls).toEqual([])
})

it('are paid by a transfer that an earlier page has sent', async () => {
  const shop = aShop()
  const { id, token } = shop.put(aPayment('token', { amount: 9 }))
  const { id: userId } = await seedSession()
  const transfer = { paymentId: id, hash, chainId: 8453, expiresAt: token?.expires_at }
  await (await openDevice()).db.put('meta', { id: 'token-transfers', value: JSON.stringify([transfer]) })
  const { result } = renderHook(() => usePayments(), { wrapper })
  await waitFor(() => expect(result.current.data?.map(({ status }) => status)).toEqual(['completed']))
  expect([userId, shop.calls.filter(({ path }) => path.endsWith('/transaction')).map(({ body }) => body)]).toEqual([
    aUser().id,
    [{ hash }],
  ])
})

it.each([
  ['of Base', aPayment('token', { transaction_id: hash }), undefined, `https://basescan.org/tx/${hash}`],
  [
    'that is over, of the chain that this server uses',
    aPayment('token', { transaction_id: hash, token: undefined }),
    84_532,
    `https://sepolia.basescan.org/tx/${hash}`,
  ],
  ['of a chain without an explorer', aPayment('token', { transaction_id: hash }), 31_337, undefined],
  ['without a transfer', aPayment('token'), undefined, undefined],
  ['of another kind', aPayment('pix', { transaction_id: '1000' }), undefined, undefined],
])('a payment %s has its own explorer link, or none [ST-168]', (_case, payment, chainId, url) =>
  expect(explorerUrl(payment, chainId)).toBe(url),
)
