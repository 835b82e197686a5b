import type { Page } from '@playwright/test'
import { ethereumSigner, solanaSigner, suiSigner, type WalletSigner } from '../apps/server/src/testing/wallet-signers'
import { deep } from './deep'
import {
  injectEthereum,
  injectStandard,
  OwnedWallet,
  phantomKind,
  rabbyKind,
  rejected,
  slushKind,
} from './injected-wallets'
import type { ParleyServer } from './parley-server'
import { call, expect, openPanel, panelOf, refusalNoise, seeToast, signInButton, test, toastWith } from './people'
import { type Button, openWithWallet, storedUser, walletButton, walletCalls } from './wallet-steps'

const installTexts = {
  title: (name: string) => `Install ${name}`,
  text: (name: string) => `${name} was not found in this browser. Install it, reload the page, and sign in again.`,
  suiTitle: 'Install a Sui wallet',
  suiText: 'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.',
  download: 'Download',
  close: 'Close',
} as const

const downloads = {
  MetaMask: 'https://metamask.io/download/',
  Phantom: 'https://phantom.com/download',
  Sui: 'https://slush.app/',
} as const

test(
  'a wallet that is not there is offered for download, and the dialog closes [AG-164, AG-165, CH-007]',
  deep,
  async ({ page, context }) => {
    for (const url of Object.values(downloads))
      await context.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Wallet</title>' }))
    await openPanel(page)
    const buttons: Button[] = ['MetaMask', 'Phantom', 'Sui']
    for (const name of buttons) {
      const [title, text] =
        name === 'Sui'
          ? [installTexts.suiTitle, installTexts.suiText]
          : [installTexts.title(name), installTexts.text(name)]
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: title, exact: true })
      await expect(dialog.getByText(text, { exact: true })).toBeVisible()
      const [store] = await Promise.all([
        context.waitForEvent('page'),
        dialog.getByRole('button', { name: installTexts.download, exact: true }).click(),
      ])
      await expect(store).toHaveURL(downloads[name])
      expect(await store.evaluate(() => window.opener)).toBeNull()
      await store.close()
      await dialog.getByRole('button', { name: installTexts.close, exact: true }).last().click()
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('dialog')).toHaveCount(1)
    }
    await expect(signInButton(page)).toBeVisible()
  },
)

const texts = {
  missing: 'MetaMask wallet not found. Please install MetaMask.',
  hidden: 'MetaMask wallet not found. Please install MetaMask or disable other wallet extensions.',
  metaMaskRefused: 'Authentication failed. Please try again.',
  metaMaskFailed: 'An error occurred. Try again.',
  phantomFailed: 'Unable to authenticate with Phantom wallet. Please try again.',
  suiFailed: 'Unable to authenticate with the Sui wallet. Please try again.',
  signature: 'Signature verification failed on the server. Please try again.',
} as const

/** Presses the wallet's button and reads what is texts. Nobody is in afterwards. */
async function fails(page: Page, name: Button, text: string): Promise<void> {
  await walletButton(page, name).click()
  await seeToast(page, text)
  await expect(walletButton(page, name)).not.toHaveAttribute('aria-busy', 'true')
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([
    null,
    null,
  ])
}

/** The wallet answers again, and the person is in. */
async function succeeds(page: Page, name: Button): Promise<void> {
  await walletButton(page, name).click()
  await expect(panelOf(page).panel).toBeHidden()
  await expect(signInButton(page)).toBeHidden()
}

/** One short sentence of the wallet, where it has a long one too. */
const rejectedAtLength = {
  ...rejected,
  message: 'User rejected the request. Details: MetaMask Tx Signature: User denied message signature.',
  shortMessage: rejected.message,
}

test.describe('what goes wrong', () => {
  test.use({ allowedNoise: refusalNoise })

  test(
    'a MetaMask that is missing is told apart from one that another wallet hides [AG-169]',
    deep,
    async ({ page }) => {
      const closeInstall = async () => {
        await expect(page.getByRole('dialog')).toHaveCount(2)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(1)
      }
      await openPanel(page)
      await walletButton(page, 'MetaMask').click()
      await expect(toastWith(page, texts.missing)).toBeVisible()
      await closeInstall()
      await injectEthereum(page, new OwnedWallet(ethereumSigner()), rabbyKind)
      await openWithWallet(page)
      await walletButton(page, 'MetaMask').click()
      await expect(toastWith(page, texts.hidden)).toBeVisible()
      await closeInstall()
    },
  )

  test(
    'what MetaMask, its owner or the server refuses is said, and the next try is a fresh one [AG-170, AG-171, AG-172]',
    deep,
    async ({ page }) => {
      const wallet = new OwnedWallet(ethereumSigner())
      await injectEthereum(page, wallet)
      const calls = walletCalls(page)
      await openWithWallet(page)
      wallet.onConnect = rejected
      await fails(page, 'MetaMask', rejected.message)
      // Locked, and its window waits for the password behind this one.
      wallet.onConnect = { code: -32002, message: 'Already processing eth_requestAccounts. Please wait.' }
      await fails(page, 'MetaMask', 'Already processing eth_requestAccounts. Please wait.')
      wallet.onConnect = { code: -32603, message: 'Internal JSON-RPC error.' }
      await fails(page, 'MetaMask', texts.metaMaskFailed)
      wallet.onConnect = undefined
      expect(calls).toEqual([])

      wallet.onSign = rejectedAtLength
      await fails(page, 'MetaMask', rejected.message)
      wallet.onSign = undefined
      const { account } = wallet
      wallet.account = undefined
      await fails(page, 'MetaMask', texts.metaMaskFailed)
      wallet.account = account

      wallet.impostor = ethereumSigner()
      await fails(page, 'MetaMask', texts.metaMaskRefused)
      expect(calls.at(-1)?.status()).toBe(401)
      wallet.impostor = undefined
      await succeeds(page, 'MetaMask')
      expect(new Set(wallet.texts).size).toBe(3)
    },
  )

  test(
    'what Phantom, its owner or the server refuses is said, and the next try is a fresh one [AG-173, AG-174]',
    deep,
    async ({ page }) => {
      const wallet = new OwnedWallet(solanaSigner())
      await injectStandard(page, wallet, phantomKind)
      const calls = walletCalls(page)
      await openWithWallet(page)
      wallet.onConnect = rejected
      await fails(page, 'Phantom', rejected.message)
      wallet.onConnect = { code: -32603, message: 'Unexpected error' }
      await fails(page, 'Phantom', texts.phantomFailed)
      wallet.onConnect = undefined
      const { account } = wallet
      wallet.account = undefined
      await fails(page, 'Phantom', texts.phantomFailed)
      wallet.account = account
      expect(calls).toEqual([])

      wallet.onSign = rejected
      await fails(page, 'Phantom', rejected.message)
      wallet.onSign = undefined
      wallet.impostor = solanaSigner()
      await fails(page, 'Phantom', texts.signature)
      expect(calls.at(-1)?.status()).toBe(401)
      wallet.impostor = undefined
      await succeeds(page, 'Phantom')
      expect(new Set(wallet.texts).size).toBe(3)
    },
  )

  test(
    'what a Sui wallet, its owner or the server refuses is said, and the next try is a fresh one [AG-174]',
    deep,
    async ({ page }) => {
      const wallet = new OwnedWallet(suiSigner())
      await injectStandard(page, wallet, slushKind)
      const calls = walletCalls(page)
      await openWithWallet(page)
      wallet.onConnect = { message: 'Rejected from user' }
      await fails(page, 'Sui', texts.suiFailed)
      wallet.onConnect = undefined
      expect(calls).toEqual([])
      wallet.onSign = rejected
      await fails(page, 'Sui', rejected.message)
      wallet.onSign = undefined
      wallet.impostor = suiSigner()
      await fails(page, 'Sui', texts.signature)
      expect(calls.at(-1)?.status()).toBe(401)
      wallet.impostor = undefined
      await succeeds(page, 'Sui')
      expect(new Set(wallet.texts).size).toBe(3)
    },
  )
})

test.describe('an account that is switched while one signs in', () => {
  test.use({ allowedNoise: refusalNoise })

  test('between the message and its signature: nobody gets in, and the new account signs in by a message of its own [AG-171, AG-172]', async ({
    page,
    server,
  }) => {
    const [first, second] = [ethereumSigner(), ethereumSigner()]
    const wallet = new OwnedWallet(first)
    await injectEthereum(page, wallet)
    await openWithWallet(page)
    await page.route('**/requestChallenge/**', async (route) => {
      wallet.account = second
      await route.continue()
    })
    await fails(page, 'MetaMask', 'An error occurred. Try again.')
    await page.unroute('**/requestChallenge/**')
    await succeeds(page, 'MetaMask')
    expect((await storedUser(page)).email).toBe(`${second.address.toLowerCase()}@erc20`)
    await expectNoAccount(server, first)
  })
})

/** A signature of another address makes no session, whichever of the two is claimed. */
async function expectNoAccount(server: ParleyServer, victim: WalletSigner): Promise<void> {
  const asked = await call(server, 'POST', `/api/auth/web3/ethereum/requestChallenge/${victim.address}`)
  const { message } = (await asked.json()).data
  const body = { message, signature: await ethereumSigner().sign(message) }
  const refused = await call(server, 'POST', '/api/auth/web3/ethereum/verifyChallenge', { body })
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ code: 'auth.wallet-signature' })
  // Used up by the attempt: the owner's own signature of it comes too late.
  const late = await call(server, 'POST', '/api/auth/web3/ethereum/verifyChallenge', {
    body: { message, signature: await victim.sign(message) },
  })
  expect(await late.json()).toMatchObject({ code: 'auth.wallet-challenge' })
}
