import { creditRoutes } from '@parley/contract/credits'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { api } from '../../data/api/api'
import { notify } from '../../data/chat/chat-notices'
import { forgetSession } from '../../data/session/stored-session'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'

const line = aChatLine()

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(cleanUp)

const main = () => within(screen.getByRole('main'))

/** The credits tab of a page that showed no chat before; `server.amount` is what there is when it is asked. */
async function openTab(
  answers: NonNullable<Parameters<typeof renderScreen>[1]>['answers'] = {},
): Promise<{ amount: number | undefined; asked: number }> {
  const server: { amount: number | undefined; asked: number } = { amount: 3, asked: 0 }
  const credit = () => {
    server.asked++
    return server.amount === undefined ? { status: 503 } : { status: 200, body: { amount: server.amount } }
  }
  await renderScreen('/settings?tab=credits', {
    answers: { ...line.answers, ...answers, 'GET /api/billing/credit/user': credit },
  })
  return server
}

it('a wallet waits for no pushed credits: its settings connect to nothing [CH-153]', async () => {
  await seedSession(aWalletUser())
  const server = await openTab()
  expect(await main().findByText('Web3 Unlimited')).toBeTruthy()
  expect(line.isOpen()).toBe(false)
  expect(server.asked).toBe(0)
})

it('a page that is opened asks once, though it is connected only after the answer; and again where that took long', async () => {
  await seedSession()
  let connect = (): void => undefined
  const admitted = new Promise<void>((resolve) => {
    connect = resolve
  })
  const server = await openTab({ 'POST /api/ws/ticket': () => admitted.then(line.answers['POST /api/ws/ticket']) })
  expect(await main().findByText('$3.00000')).toBeTruthy()
  expect(line.isOpen()).toBe(false)
  connect()
  await waitFor(() => expect(line.isOpen()).toBe(true))
  // A call of the page's own would have gone out before this one.
  await api(creditRoutes.credit)
  expect(server.asked).toBe(2)

  server.amount = 2
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  act(() => notify({ kind: 'connected', isAgain: false }))
  expect(await main().findByText('$2.00000')).toBeTruthy()
})

it('what the server pushes arrives on a page that shows no chat [ST-097]', async () => {
  await seedSession()
  await openTab()
  expect(await main().findByText('$3.00000')).toBeTruthy()
  await waitFor(() => expect(line.isOpen()).toBe(true))
  line.push({ event: 'credits-updated', content: 2.987654321 })
  expect(await main().findByText('$2.98765')).toBeTruthy()
})

it('what was pushed while the connection was broken is asked for when it is back', async () => {
  await seedSession()
  const server = await openTab()
  expect(await main().findByText('$3.00000')).toBeTruthy()
  await waitFor(() => expect(line.isOpen()).toBe(true))
  server.amount = 1.5
  line.drop()
  expect(await main().findByText('$1.50000')).toBeTruthy()
})

it('what an answer cost that another page had asked for is asked for when this one has taken it up: it may have been pushed before', async () => {
  await seedSession()
  const server = await openTab()
  expect(await main().findByText('$3.00000')).toBeTruthy()
  await waitFor(() => expect(line.isOpen()).toBe(true))
  server.amount = 2.5
  act(() => notify({ kind: 'taken-up' }))
  expect(await main().findByText('$2.50000')).toBeTruthy()
})
