import type { Page, Response } from '@playwright/test'
import { ethereumSigner, solanaSigner, suiSigner, type WalletSigner } from '../apps/server/src/testing/wallet-signers'
import { injectEthereum, injectStandard, metaMaskKind, OwnedWallet, phantomKind, rabbyKind, rejected, slushKind, solflareKind } from './injected-wallets'
import type { ParleyServer } from './parley-server'
import {
  accountButton,
  answers,
  ask,
  call,
  chatRows,
  countCalls,
  expect,
  logOut,
  openPanel,
  panelOf,
  refusalNoise,
  seeToast,
  signInButton,
  test,
  toastWith,
} from './people'

type Button = 'MetaMask' | 'Phantom' | 'Sui'

const walletButton = (page: Page, name: Button) => panelOf(page).panel.getByRole('button', { name, exact: true })

/** The page anew, so that the wallet is in it, and the panel. */
async function openWithWallet(page: Page): Promise<void> {
  await page.reload()
  await openPanel(page)
}

async function signInWith(page: Page, name: Button): Promise<void> {
  await openPanel(page)
  await walletButton(page, name).click()
  await expect(accountButton(page)).toBeVisible()
  await expect(panelOf(page).panel).toBeHidden()
}

const storedUser = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))

/** The calls to the server's wallet routes, in their order. */
function walletCalls(page: Page): Response[] {
  const calls: Response[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/auth/web3/')) calls.push(response)
  })
  return calls
}

const ways = [
  {
    button: 'MetaMask',
    chain: 'ethereum',
    network: 'Ethereum',
    domain: 'erc20',
    signer: ethereumSigner,
    inject: (page: Page, wallet: OwnedWallet) => injectEthereum(page, wallet),
    ids: '[AG-110, AG-132, AG-166, AG-167, CH-006, CH-069, CH-072, ST-016]',
  },
  {
    button: 'Phantom',
    chain: 'solana',
    network: 'Solana',
    domain: 'solana',
    signer: solanaSigner,
    inject: (page: Page, wallet: OwnedWallet) => injectStandard(page, wallet, phantomKind),
    ids: '[AG-110, AG-132, AG-166, AG-168, CH-006, CH-069, CH-072, ST-016]',
  },
  {
    button: 'Sui',
    chain: 'sui',
    network: 'Sui',
    domain: 'sui',
    signer: () => suiSigner(),
    inject: (page: Page, wallet: OwnedWallet) => injectStandard(page, wallet, slushKind),
    ids: '[AG-110, AG-132, CH-006, CH-069, CH-072, ST-016]',
  },
] as const

/** Settings of a wallet account: nothing that only an account with an e-mail has. */
async function expectWalletSettings(page: Page, { network, signer }: { network: string; signer: WalletSigner }): Promise<void> {
  const short = `${signer.address.slice(0, 6)}…${signer.address.slice(-4)}`
  const shown = new RegExp(`^${short}: Account$`, 'i')
  await page.getByRole('button', { name: shown }).click()
  await expect(page.getByRole('region').getByText(network, { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'System' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Personal info' })).toBeHidden()
  await page.getByRole('tab', { name: 'Security' }).click()
  await expect(page.getByText('You sign in with your wallet, so this account has no password.', { exact: false })).toBeVisible()
  await expect(page.getByLabel('New password')).toBeHidden()
  await page.getByRole('tab', { name: 'Credits' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Credits' }).getByText('Web3 Unlimited')).toBeVisible()
}

for (const { button, chain, network, domain, signer: makeSigner, inject, ids } of ways) {
  test.describe(button, () => {
    test.use({ allowedNoise: refusalNoise })

    test(`${button}: from the button to the first answer; the account has the wallet's properties, and is the same the next time ${ids}`, async ({
      page,
      server,
      gateway,
    }) => {
      const signer = makeSigner()
      const wallet = new OwnedWallet(signer)
      await inject(page, wallet)
      const calls = walletCalls(page)
      const profiles = countCalls(page, '/api/user')
      await openWithWallet(page)
      await walletButton(page, button).click()
      await expect(accountButton(page)).toBeVisible()
      await expect(panelOf(page).panel).toBeHidden()

      // The message names this server and this wallet, and is what the wallet was shown.
      const [challenge, verified] = calls
      expect(calls.map(({ url }) => url.length)).toHaveLength(2)
      expect(challenge?.url()).toBe(`${server.url}/api/auth/web3/${chain}/requestChallenge/${signer.address}`)
      expect(await challenge?.json()).toEqual({ success: true, data: { message: wallet.texts[0] } })
      expect(wallet.texts).toHaveLength(1)
      expect(wallet.texts[0]).toMatch(new RegExp(`^localhost:${server.port} wants you to sign in with your ${network} account:\\n${signer.address}\\n`))
      expect(verified?.url()).toBe(`${server.url}/api/auth/web3/${chain}/verifyChallenge`)
      const body = verified?.request().postDataJSON()
      expect(body).toMatchObject({ message: wallet.texts[0], signature: expect.any(String), ...(chain === 'ethereum' ? {} : { address: signer.address }) })
      expect(await verified?.json()).toMatchObject({ access_token: expect.any(String), user: { app_metadata: { kind: chain } } })

      const user = await storedUser(page)
      const address = chain === 'ethereum' ? signer.address.toLowerCase() : signer.address
      expect(user).toMatchObject({ email: `${address}@${domain}`, has_password: false, app_metadata: { kind: chain } })
      const stored = await page.evaluate(() => ({ ...localStorage }))
      expect(stored).toMatchObject({ web2Login: 'false', webModeLogin: 'Web 3' })
      expect(JSON.stringify(stored)).not.toContain(body.signature)

      gateway.next({ text: 'Welcome, whoever you are.' })
      await ask(page, 'Am I in?')
      await expect(answers(page).first()).toContainText('Welcome, whoever you are.')
      await page.reload()
      await expect(answers(page).first()).toContainText('Welcome, whoever you are.')
      await expectWalletSettings(page, { network, signer })
      expect(profiles()).toBe(0)

      // Whoever saw the answer of the wallet gets in nowhere with it.
      const again = await call(server, 'POST', `/api/auth/web3/${chain}/verifyChallenge`, { body })
      expect(again.status).toBe(401)
      expect(await again.json()).toMatchObject({ code: 'auth.wallet-challenge' })

      await logOut(page)
      await expect(chatRows(page)).toHaveCount(0)
      await signInWith(page, button)
      expect((await storedUser(page)).id).toBe(user.id)
      await chatRows(page).first().getByRole('link').click()
      await expect(answers(page).first()).toContainText('Welcome, whoever you are.')
    })

    test(`${button}: another account of the same wallet is another person, and sees nothing of the first [CH-169]`, async ({ page, gateway }) => {
      const [first, second] = [makeSigner(), makeSigner()]
      const wallet = new OwnedWallet(first)
      await inject(page, wallet)
      await page.reload()
      await signInWith(page, button)
      const { id } = await storedUser(page)
      gateway.next({ text: 'For the first alone.' })
      await ask(page, 'Whose?')
      await expect(answers(page).first()).toContainText('For the first alone.')
      // Switching in the wallet signs nobody out and nobody in: the session is of whom signed.
      wallet.account = second
      await page.reload()
      await expect(answers(page).first()).toContainText('For the first alone.')
      expect((await storedUser(page)).id).toBe(id)

      await logOut(page)
      await signInWith(page, button)
      expect((await storedUser(page)).id).not.toBe(id)
      await expect(chatRows(page)).toHaveCount(0)
      await expect(page.getByText('For the first alone.')).toBeHidden()
      await logOut(page)
      wallet.account = first
      await signInWith(page, button)
      expect((await storedUser(page)).id).toBe(id)
      await expect(chatRows(page)).toHaveCount(1)
    })
  })
}

test('MetaMask is found among other wallets, and where it does not announce itself [AG-110]', async ({ page }) => {
  const signer = ethereumSigner()
  await injectEthereum(page, new OwnedWallet(ethereumSigner()), rabbyKind)
  await injectEthereum(page, new OwnedWallet(signer), { ...metaMaskKind, isAnnounced: false })
  await page.reload()
  await signInWith(page, 'MetaMask')
  expect((await storedUser(page)).email).toBe(`${signer.address.toLowerCase()}@erc20`)
})

test('Phantom comes before other Solana wallets, and any of them will do where it is not [AG-110]', async ({ page }) => {
  const [phantom, solflare] = [solanaSigner(), solanaSigner()]
  await injectStandard(page, new OwnedWallet(solflare), solflareKind)
  await page.reload()
  await signInWith(page, 'Phantom')
  expect((await storedUser(page)).email).toBe(`${solflare.address}@solana`)
  await logOut(page)
  await injectStandard(page, new OwnedWallet(phantom), phantomKind)
  await page.reload()
  await signInWith(page, 'Phantom')
  expect((await storedUser(page)).email).toBe(`${phantom.address}@solana`)
})

const installTexts = {
  title: (name: string) => `Install ${name}`,
  text: (name: string) => `${name} was not found in this browser. Install it, reload the page, and sign in again.`,
  suiTitle: 'Install a Sui wallet',
  suiText: 'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.',
  download: 'Download',
  close: 'Close',
} as const

const downloads = { MetaMask: 'https://metamask.io/download/', Phantom: 'https://phantom.com/download', Sui: 'https://slush.app/' } as const

test('a wallet that is not there is offered for download, and the dialog closes [AG-164, AG-165, CH-007]', async ({ page, context }) => {
  for (const url of Object.values(downloads)) await context.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Wallet</title>' }))
  await openPanel(page)
  const buttons: Button[] = ['MetaMask', 'Phantom', 'Sui']
  for (const name of buttons) {
    const [title, text] = name === 'Sui' ? [installTexts.suiTitle, installTexts.suiText] : [installTexts.title(name), installTexts.text(name)]
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
    const [store] = await Promise.all([context.waitForEvent('page'), dialog.getByRole('button', { name: installTexts.download, exact: true }).click()])
    await expect(store).toHaveURL(downloads[name])
    expect(await store.evaluate(() => window.opener)).toBeNull()
    await store.close()
    await dialog.getByRole('button', { name: installTexts.close, exact: true }).last().click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('dialog')).toHaveCount(1)
  }
  await expect(signInButton(page)).toBeVisible()
})

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
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([null, null])
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

  test('a MetaMask that is missing is told apart from one that another wallet hides [AG-169]', async ({ page }) => {
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
  })

  test('what MetaMask, its owner or the server refuses is said, and the next try is a fresh one [AG-170, AG-171, AG-172]', async ({ page }) => {
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
  })

  test('what Phantom, its owner or the server refuses is said, and the next try is a fresh one [AG-173, AG-174]', async ({ page }) => {
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
  })

  test('what a Sui wallet, its owner or the server refuses is said, and the next try is a fresh one [AG-174]', async ({ page }) => {
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
  })
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
  const late = await call(server, 'POST', '/api/auth/web3/ethereum/verifyChallenge', { body: { message, signature: await victim.sign(message) } })
  expect(await late.json()).toMatchObject({ code: 'auth.wallet-challenge' })
}
