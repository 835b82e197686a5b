import type { Page } from '@playwright/test'
import { ethereumSigner, solanaSigner, suiSigner, type WalletSigner } from '../apps/server/src/testing/wallet-signers'
import { deep } from './deep'
import {
  injectEthereum,
  injectStandard,
  metaMaskKind,
  OwnedWallet,
  phantomKind,
  rabbyKind,
  slushKind,
  solflareKind,
} from './injected-wallets'
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
  test,
} from './people'
import { type Button, openWithWallet, storedUser, walletButton, walletCalls } from './wallet-steps'

async function signInWith(page: Page, name: Button): Promise<void> {
  await openPanel(page)
  await walletButton(page, name).click()
  await expect(accountButton(page)).toBeVisible()
  await expect(panelOf(page).panel).toBeHidden()
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
async function expectWalletSettings(
  page: Page,
  { network, signer }: { network: string; signer: WalletSigner },
): Promise<void> {
  const short = `${signer.address.slice(0, 6)}…${signer.address.slice(-4)}`
  const shown = new RegExp(`^${short}: Account$`, 'i')
  await page.getByRole('button', { name: shown }).click()
  await expect(page.getByRole('region').getByText(network, { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'System' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Personal info' })).toBeHidden()
  await page.getByRole('tab', { name: 'Security' }).click()
  await expect(
    page.getByText('You sign in with your wallet, so this account has no password.', { exact: false }),
  ).toBeVisible()
  await expect(page.getByLabel('New password')).toBeHidden()
  await page.getByRole('tab', { name: 'Credits' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Credits' }).getByText('Web3 Unlimited')).toBeVisible()
}

for (const { button, chain, network, domain, signer: makeSigner, inject, ids } of ways) {
  test.describe(button, () => {
    test.use({ allowedNoise: refusalNoise })

    test(
      `${button}: from the button to the first answer; the account has the wallet's properties, and is the same the next time ${ids}`,
      button === 'MetaMask' ? {} : deep,
      async ({ page, server, gateway }) => {
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
        expect(wallet.texts[0]).toMatch(
          new RegExp(
            `^localhost:${server.port} wants you to sign in with your ${network} account:\\n${signer.address}\\n`,
          ),
        )
        expect(verified?.url()).toBe(`${server.url}/api/auth/web3/${chain}/verifyChallenge`)
        const body = verified?.request().postDataJSON()
        expect(body).toMatchObject({
          message: wallet.texts[0],
          signature: expect.any(String),
          ...(chain === 'ethereum' ? {} : { address: signer.address }),
        })
        expect(await verified?.json()).toMatchObject({
          access_token: expect.any(String),
          user: { app_metadata: { kind: chain } },
        })

        const user = await storedUser(page)
        const address = chain === 'ethereum' ? signer.address.toLowerCase() : signer.address
        expect(user).toMatchObject({
          email: `${address}@${domain}`,
          has_password: false,
          app_metadata: { kind: chain },
        })
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
      },
    )

    // Phantom and Sui are found and asked by the same standard.
    if (chain !== 'sui')
      test(
        `${button}: another account of the same wallet is another person, and sees nothing of the first [CH-169]`,
        deep,
        async ({ page, gateway }) => {
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
        },
      )
  })
}

test(
  'MetaMask is found among other wallets, and where it does not announce itself [AG-110]',
  deep,
  async ({ page }) => {
    const signer = ethereumSigner()
    await injectEthereum(page, new OwnedWallet(ethereumSigner()), rabbyKind)
    await injectEthereum(page, new OwnedWallet(signer), { ...metaMaskKind, isAnnounced: false })
    await page.reload()
    await signInWith(page, 'MetaMask')
    expect((await storedUser(page)).email).toBe(`${signer.address.toLowerCase()}@erc20`)
  },
)

test(
  'Phantom comes before other Solana wallets, and any of them will do where it is not [AG-110]',
  deep,
  async ({ page }) => {
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
  },
)
