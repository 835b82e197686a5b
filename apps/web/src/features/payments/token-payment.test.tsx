import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { callsEnded } from '../../data/api/api'
import { enterShop, leaveShop, PaymentShop, tokenAddress, treasuryData } from '../../testing/payment-shop'
import { aHash, PaymentWallet, walletError } from '../../testing/payment-wallet'
import { aUser, aWalletUser } from '../../testing/seed-session'

const own = '0x52908400098527886E0F7030069857D2E4169EE7'

afterEach(() => {
  leaveShop()
  delete window.ethereum
  vi.restoreAllMocks()
})

async function openShop(wallet: PaymentWallet | undefined, { user: person = aUser() } = {}) {
  const shop = new PaymentShop()
  if (wallet) window.ethereum = wallet
  const view = await enterShop(shop, { amount: 10, user: person })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('radio', { name: 'Aiz' }))
  const pay = async () => user.click(await screen.findByRole('button', { name: 'Continue with Aiz' }))
  await pay()
  return { shop, user, pay, ...view }
}

const polite = () => document.querySelector('[popover] [aria-live=polite]')?.textContent
/** The button can be pressed again. */
const tried = () =>
  waitFor(() =>
    expect(screen.getByRole('button', { name: 'Continue with Aiz' }).getAttribute('aria-busy')).not.toBe('true'),
  )
const reports = (shop: PaymentShop) => shop.pathsOf('POST').filter((path) => path.endsWith('/transaction'))

it('is sent by the wallet as the server wrote it, told to the server, and said when it has come [ST-168, ST-179]', async () => {
  const wallet = new PaymentWallet([own])
  wallet.chainId = 1
  const { shop } = await openShop(wallet, { user: aWalletUser() })
  await waitFor(() => expect(polite()).toContain('Credits added successfully'))
  expect(wallet.methods()).toEqual([
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'eth_chainId',
    'eth_sendTransaction',
  ])
  expect(wallet.paramsOf('eth_sendTransaction')).toEqual({
    from: own,
    to: tokenAddress,
    data: treasuryData,
    value: '0x0',
  })
  expect(shop.created().map(({ body }) => body)).toEqual([{ amount: 10, method: 'token' }])
  expect(shop.calls.find(({ path }) => path.endsWith('/transaction'))?.body).toEqual({ hash: aHash })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('shows the transfer on its way, with the explorer, and goes on when that is closed [ST-168]', async () => {
  const wallet = new PaymentWallet([own])
  wallet.hash = `0x${'cd'.repeat(32)}`
  const shop = new PaymentShop()
  let isThere = (): void => undefined
  const there = new Promise<void>((resolve) => {
    isThere = resolve
  })
  window.ethereum = wallet
  await enterShop(shop, { amount: 10 })
  globalThis.fetch = async (input, init) => {
    if (String(input).endsWith('/transaction')) await there
    return shop.fetch(input, init)
  }
  const user = userEvent.setup()
  await user.click(await screen.findByRole('radio', { name: 'Aiz' }))
  await user.click(await screen.findByRole('button', { name: 'Continue with Aiz' }))
  const dialog = await screen.findByRole('dialog', { name: 'Pay with Aiz' })
  expect(dialog.textContent).toContain('333.3334 AIZfor $10.00 of credits')
  expect(screen.getByText('Transfer sent. Waiting until the Base network confirms it…')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show in the explorer' }).getAttribute('href')).toBe(
    `https://basescan.org/tx/${wallet.hash}`,
  )
  const [close] = screen.getAllByRole('button', { name: 'Close' })
  if (close) await user.click(close)
  expect(screen.queryByRole('dialog')).toBeNull()
  const credits = () => shop.pathsOf('GET /api/billing/credit/user').length
  const before = credits()
  isThere()
  await waitFor(() => expect(polite()).toContain('Credits added successfully'))
  await waitFor(() => expect(credits()).toBe(before + 1))
})

it('says what to install where there is no wallet, and makes no payment [ST-169]', async () => {
  const { shop } = await openShop(undefined)
  expect((await screen.findByRole('alert')).textContent).toContain('Please install MetaMask to pay with Aiz.')
  expect(screen.getByRole('link', { name: 'Get MetaMask' }).getAttribute('href')).toBe('https://metamask.io/download/')
  expect(shop.created()).toEqual([])
})

it('says that the account is another one than that of the wallet user, and asks for no transfer [ST-169, ST-170]', async () => {
  const wallet = new PaymentWallet(['0x8617E340B3D01FA5F11F306F4090FD50E238070D'])
  const { shop } = await openShop(wallet, { user: aWalletUser() })
  expect((await screen.findByRole('alert')).textContent).toBe('The connected wallet does not match your account.')
  expect([shop.created(), wallet.methods()]).toEqual([[], ['eth_requestAccounts']])
})

it('says that the wallet stays in another network, and goes on with the same payment afterwards [ST-169]', async () => {
  const wallet = new PaymentWallet([own])
  wallet.chainId = 1
  wallet.hash = `0x${'ef'.repeat(32)}`
  wallet.refusals.set('wallet_switchEthereumChain', walletError(4001))
  const { shop, pay } = await openShop(wallet)
  expect((await screen.findByRole('alert')).textContent).toBe('Please connect your wallet to the Base network.')
  expect(wallet.methods()).not.toContain('eth_sendTransaction')
  wallet.refusals.clear()
  await pay()
  await waitFor(() => expect(reports(shop)).toHaveLength(1))
  expect(shop.payments.size).toBe(1)
})

it.each([
  ['an error of its own', walletError(-32603)],
  ['what is no hash', '0x12'],
])(
  'is another payment when it is tried again after the wallet answered with %s, for it may have sent the first',
  async (_what, answer) => {
    const wallet = new PaymentWallet([own])
    if (answer instanceof Error) wallet.refusals.set('eth_sendTransaction', answer)
    else wallet.hash = answer
    const { shop, pay } = await openShop(wallet)
    await tried()
    const [first] = [...shop.payments.keys()]
    wallet.refusals.clear()
    wallet.hash = `0x${(answer instanceof Error ? '56' : '78').repeat(32)}`
    await pay()
    await waitFor(() => expect(reports(shop)).toHaveLength(1))
    expect(shop.payments.size).toBe(2)
    expect(reports(shop)[0]).not.toContain(first)
  },
)

it.each([
  ['was declined', 4001, '9a'],
  ['waits for an answer', -32002, 'bc'],
])('is the same payment when it is tried again after the transfer %s', async (_what, code, digits) => {
  const wallet = new PaymentWallet([own])
  wallet.refusals.set('eth_sendTransaction', walletError(code))
  const { shop, pay } = await openShop(wallet)
  await tried()
  expect(wallet.methods()).toContain('eth_sendTransaction')
  const [first] = [...shop.payments.keys()]
  wallet.refusals.clear()
  wallet.hash = `0x${digits.repeat(32)}`
  await pay()
  await waitFor(() => expect(reports(shop)).toHaveLength(1))
  expect([shop.payments.size, reports(shop)[0]]).toEqual([1, expect.stringContaining(first ?? '')])
})

it('is quoted anew when the wallet has taken so long that the transfer would come too late', async () => {
  const wallet = new PaymentWallet([own])
  wallet.hash = `0x${'34'.repeat(32)}`
  wallet.refusals.set('eth_sendTransaction', walletError(4001))
  const { shop, pay } = await openShop(wallet)
  await waitFor(() => expect(polite()).toContain('You declined in your wallet.'))
  const [first] = [...shop.payments.values()]
  if (!first?.token) throw new Error('there is a quote')
  shop.put({ ...first, token: { ...first.token, expires_at: new Date(Date.now() + 60_000).toISOString() } })
  wallet.refusals.clear()
  await pay()
  await waitFor(() => expect(reports(shop)).toHaveLength(1))
  expect(shop.payments.size).toBe(2)
  expect(reports(shop)[0]).not.toContain(first.id)
})

it('is not begun for somebody who closes the dialog before choosing an account', async () => {
  const wallet = new PaymentWallet([own])
  let choose = (): void => undefined
  const chosen = new Promise<void>((resolve) => {
    choose = resolve
  })
  const shop = new PaymentShop()
  window.ethereum = {
    request: async (call) => {
      await chosen
      return wallet.request(call)
    },
  }
  await enterShop(shop, { amount: 10 })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('radio', { name: 'Aiz' }))
  await user.click(screen.getByRole('button', { name: 'Continue with Aiz' }))
  expect(await screen.findByText('Choose an account in your wallet.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  choose()
  await waitFor(() => expect(wallet.methods()).toEqual(['eth_requestAccounts']))
  await callsEnded()
  expect(shop.created()).toEqual([])
})

it('is a quiet notice when the person declines, and the payment stays open', async () => {
  const wallet = new PaymentWallet([own])
  wallet.refusals.set('eth_sendTransaction', walletError(4001))
  const { shop } = await openShop(wallet)
  await waitFor(() => expect(polite()).toContain('You declined in your wallet. Nothing was paid.'))
  expect(screen.queryByRole('alert')).toBeNull()
  expect([...shop.payments.values()].map(({ status }) => status)).toEqual(['pending'])
  expect(reports(shop)).toEqual([])
})

it('says that the wallet waits for an answer, and that something else failed', async () => {
  const wallet = new PaymentWallet([own])
  wallet.refusals.set('eth_sendTransaction', walletError(-32002))
  const { pay } = await openShop(wallet)
  expect((await screen.findByRole('alert')).textContent).toContain('Your wallet is waiting for an answer from you.')
  wallet.refusals.set('eth_sendTransaction', walletError(-32603))
  await pay()
  await waitFor(() =>
    expect(document.querySelector('[popover] [aria-live=assertive]')?.textContent).toContain(
      'Failed to process the token payment',
    ),
  )
})

it('that pays nothing is said with its hash and stays to be read', async () => {
  const wallet = new PaymentWallet([own])
  wallet.hash = `0x${'12'.repeat(32)}`
  const shop = new PaymentShop()
  shop.refuse('POST /api/billing/payment/', { status: 400, code: 'payment.token-failed' })
  window.ethereum = wallet
  await enterShop(shop, { amount: 10 })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('radio', { name: 'Aiz' }))
  await user.click(await screen.findByRole('button', { name: 'Continue with Aiz' }))
  await waitFor(() => expect(polite()).toContain(`Your transfer ${wallet.hash} was not taken.`))
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  await user.click(screen.getByRole('button', { name: 'Show in the explorer' }))
  expect(open).toHaveBeenCalledWith(`https://basescan.org/tx/${wallet.hash}`, '_blank', 'noopener')
})
