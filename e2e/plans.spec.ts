import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { ethereumSigner } from '../apps/server/src/testing/wallet-signers'
import { deep } from './deep'
import { injectEthereum, OwnedWallet } from './injected-wallets'
import type { ParleyServer } from './parley-server'
import { accountButton, ana, answers, ask, expect, openPanel, panelOf, signIn, signUp, test } from './people'

const adminCommand = new URL('../apps/server/dist/admin.js', import.meta.url).pathname

/** What the operator types on the machine of the server. */
async function operate(server: ParleyServer, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [adminCommand, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: server.dataDir },
  })
}

/** The day that many days from now, as the operator writes it. */
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const creditsBox = (page: Page) => sidebar(page).getByRole('link', { name: /^Credits/ })
const menuCredits = (page: Page) =>
  page.getByRole('region', { name: 'Account menu' }).getByRole('link', { name: /^Credits/ })
const tabPanel = (page: Page) => page.getByRole('tabpanel')

/** What the server says over the browser's sockets, by its kind. */
function heardEvents(page: Page): string[] {
  const events: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => events.push(JSON.parse(String(payload)).event)),
  )
  return events
}

/** The paths of credits and payments that the browser has asked for. */
function creditCalls(context: BrowserContext): string[] {
  const paths: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/billing')) paths.push(pathname)
  })
  return paths
}

/** The same words in the sidebar's box and in the account menu; both lead to the credits. */
async function expectShown(page: Page, label: string): Promise<void> {
  await expect(creditsBox(page)).toHaveText(`Credits${label}`)
  await accountButton(page).click()
  await expect(menuCredits(page)).toHaveText(`Credits${label}`)
  await menuCredits(page).click()
  await expect(page).toHaveURL(/\/settings\?tab=credits$/)
  await page.getByRole('link', { name: 'Parley: new chat' }).click()
  await creditsBox(page).click()
  await expect(page).toHaveURL(/\/settings\?tab=credits$/)
}

/** On a phone: the same, with the box in the drawer, and nothing is wider than the screen. */
async function expectOnPhone(page: Page, { label, text }: { label: string; text: Locator }): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(text).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(creditsBox(page)).toHaveText(`Credits${label}`)
  await creditsBox(page).click()
  await expect(sidebar(page)).toBeHidden()
}

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.describe('on a server that gives nothing for signing up', () => {
  test.use({ environment: { SIGNUP_CREDITS: '0' } })

  test('a subscriber sees the plan instead of the purchase, on a desk and on a phone, and asks without any credits [CH-147, CH-148, CH-150, CH-151, CH-155, CH-165, ST-029]', async ({
    page,
    server,
    gateway,
  }) => {
    await signUp(server, ana)
    await operate(server, 'subscription', 'grant', '--email', ana.email, '--plan', 'Parley Plus', '--until', dayIn(20))
    const heard = heardEvents(page)
    await page.reload()
    await signIn(page, ana)
    await expectShown(page, 'Monthly')
    const plan = tabPanel(page).getByRole('group', { name: 'Your plan' })
    await expect(plan).toContainText('Parley Plus')
    await expect(plan).toContainText('Until then your messages need no credits.')
    await expect(tabPanel(page).getByRole('button', { name: 'Buy credits' })).toHaveCount(0)
    await expect(tabPanel(page).getByText('Available credits')).toHaveCount(0)
    // Neither does an address that asks for the purchase open it.
    await page.goto(`${server.url}/settings?pay=25`)
    await expect(plan).toContainText('Parley Plus')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expectOnPhone(page, { label: 'Monthly', text: plan })

    await page.goto(`${server.url}/app`)
    gateway.next({ text: 'Included in the plan.', usage: { prompt_tokens: 900, completion_tokens: 90, cost: 0.0003 } })
    await ask(page, 'What does this answer cost me?')
    await expect(answers(page).first()).toContainText('Included in the plan.')
    await expect.poll(() => heard).toContain('end')
    expect(heard).not.toContain('no-credits')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test(
    'a wallet is Web3 Unlimited wherever credits are shown, on a desk and on a phone, chats, and never asks for anything of billing [CH-152, CH-153, CH-155, CH-156, CH-165]',
    deep,
    async ({ page, context, server, gateway }) => {
      const calls = creditCalls(context)
      const heard = heardEvents(page)
      await injectEthereum(page, new OwnedWallet(ethereumSigner()))
      await page.reload()
      await openPanel(page)
      await panelOf(page).panel.getByRole('button', { name: 'MetaMask', exact: true }).click()
      await expect(accountButton(page)).toBeVisible()
      await expectShown(page, 'Web3 Unlimited')
      await expect(tabPanel(page)).toContainText('Web3 Unlimited')
      await expect(tabPanel(page)).toContainText('Wallet accounts use every model without credits, within fair use.')
      await expect(tabPanel(page).getByRole('button')).toHaveCount(0)
      await page.goto(`${server.url}/settings?pay=25`)
      await expectOnPhone(page, { label: 'Web3 Unlimited', text: tabPanel(page).getByText('Web3 Unlimited') })
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await page.goto(`${server.url}/app`)
      gateway.next({ text: 'Nothing at all.', usage: { prompt_tokens: 900, completion_tokens: 90, cost: 0.0003 } })
      await ask(page, 'What does this answer cost me?')
      await expect(answers(page).first()).toContainText('Nothing at all.')
      await expect.poll(() => heard).toContain('end')
      expect(heard).not.toContain('no-credits')
      await page.reload()
      await expect(answers(page).first()).toContainText('Nothing at all.')
      expect(calls).toEqual([])
    },
  )
})

test.describe('on a server that gives 5 dollars for signing up', () => {
  test.use({ environment: { SIGNUP_CREDITS: '5' } })

  /** As long as the page lives. */
  const markPage = (page: Page) => page.evaluate(() => void document.documentElement.setAttribute('data-same-page', ''))

  test('what an answer costs is gone at once from every open tab and device, also where no chat was opened [ST-097, ST-030, CH-149]', async ({
    page,
    context,
    browser,
    server,
    gateway,
  }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await expect(creditsBox(page)).toHaveText('Credits$5.00')
    const address = `${server.url}/settings?tab=credits`
    const tab = await context.newPage()
    await tab.goto(address)
    const elsewhere = await browser.newContext()
    const device = await elsewhere.newPage()
    await device.goto(`${server.url}/assistants`)
    await signIn(device, ana)
    await device.goto(address)
    for (const each of [tab, device]) {
      await expect(tabPanel(each)).toContainText('$5.00000')
      await markPage(each)
    }

    gateway.next({ text: 'A hundredth of a cent.', usage: { prompt_tokens: 900, completion_tokens: 90, cost: 0.0001 } })
    await ask(page, 'What does this answer cost me?')
    await expect(answers(page).first()).toContainText('A hundredth of a cent.')
    await expect(creditsBox(page)).toHaveText('Credits$4.99')
    for (const each of [tab, device]) {
      await expect(tabPanel(each)).toContainText('$4.99990')
      await expect(tabPanel(each).getByRole('list', { name: 'History' })).toContainText('−$0.0001')
      await expect(creditsBox(each)).toHaveText('Credits$4.99')
      await accountButton(each).click()
      await expect(menuCredits(each)).toHaveText('Credits$4.9999')
      await expect(each.locator('[data-same-page]')).toHaveCount(1)
    }
    await elsewhere.close()
  })

  test(
    'a page that is opened asks once what there is, and hears of what goes from then on [ST-097, CH-156]',
    deep,
    async ({ page, context, server, gateway }) => {
      await signUp(server, ana)
      await signIn(page, ana)
      await expect(creditsBox(page)).toHaveText('Credits$5.00')
      // A sign-in asks again for everything a moment later: that page is left before the calls count.
      await page.goto('about:blank')
      const calls = creditCalls(context)
      await page.goto(`${server.url}/app`)
      await expect(creditsBox(page)).toHaveText('Credits$5.00')
      gateway.next({
        text: 'A hundredth of a cent.',
        usage: { prompt_tokens: 900, completion_tokens: 90, cost: 0.0001 },
      })
      await ask(page, 'What does this answer cost me?')
      await expect(answers(page).first()).toContainText('A hundredth of a cent.')
      await expect(creditsBox(page)).toHaveText('Credits$4.99')
      expect(calls).toEqual(['/api/billing/credit/user'])
    },
  )
})
