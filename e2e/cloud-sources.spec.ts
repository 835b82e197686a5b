// Sources that the server keeps, and what it reads of the web.
import type { Browser, Page } from '@playwright/test'
import type { GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { deep } from './deep'
import { expectNothing } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import {
  ana,
  answers,
  ask,
  chatRows,
  enter,
  expect,
  test as people,
  signIn,
  signUp,
  toastWith,
  untilAnswered,
} from './people'
import {
  addDialog,
  addFiles,
  askedOf,
  chip,
  chooseCloud,
  citing,
  handbook,
  manageDialog,
  numberOf,
  panel,
  sentFiles,
  sourcesBar,
  text,
} from './source-steps'
import { rentFact, startWeb, type WebStandIns } from './web-stand-ins'

const test = people.extend<{ web: WebStandIns }>({
  web: async ({ standIns }, use) => use(await standIns.of(startWeb)),
  environment: async ({ web }, use) =>
    use({
      ...{ FETCH_ALLOWED_HOSTS: web.site.host, SEARXNG_URL: web.engine.url, WEB_SEARCH_COST: '0.005' },
      SIGNUP_CREDITS: '5',
    }),
})

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

const fact = 'The notice period of the greenhouse is ninety-one days.'

/** Somebody with a chat in the cloud, in which something was asked. */
async function aCloudChat(page: Page, server: ParleyServer, gateway: GatewayStandIn): Promise<void> {
  await signUp(server, ana)
  await signIn(page, ana)
  await chooseCloud(page)
  gateway.next({ text: 'Hello.' })
  await ask(page, 'Are you there?')
  await expect(answers(page).first()).toContainText('Hello.')
  await untilAnswered(page)
}

async function addRents(page: Page, web: WebStandIns): Promise<void> {
  await page.getByRole('button', { name: 'Add sources' }).click()
  await addDialog(page).getByRole('textbox').fill(`${web.site.url}/rents`)
  await page.keyboard.press('Enter')
  await expect(toastWith(page, 'Website sent successfully! Initializing processing...')).toBeVisible()
  await expect(addDialog(page).getByRole('listitem').filter({ hasText: 'Rents' })).toContainText('Processed', {
    timeout: 20_000,
  })
  await page.keyboard.press('Escape')
}

/** Asks what both say, is answered with their numbers, and gives that of the handbook. */
async function askAndCite(page: Page, gateway: GatewayStandIn): Promise<{ n: number }> {
  gateway.next(citing((number) => `Ninety-one days [${number(fact)}], and four percent [${number(rentFact)}].`))
  await ask(page, 'What is the notice period of the greenhouse, and the index of rents?')
  await expect(answers(page).nth(1)).toContainText('four percent')
  await untilAnswered(page)
  await expect(sentFiles(page).getByRole('listitem')).toHaveCount(2)
  return { n: numberOf(askedOf(gateway), fact) }
}

/** Opens the page of the handbook that is cited, and from there the website. */
async function seeBoth(page: Page, web: WebStandIns, { n, place }: { n: number; place: string }): Promise<void> {
  // On a phone the answers before are not drawn.
  await chip(answers(page).last(), n).click()
  const opened = panel(page, 'handbook.pdf')
  await expect(opened.getByText(place)).toBeVisible()
  await expect(opened.locator('canvas')).toBeVisible()
  await expect(opened.locator('mark').first()).toBeVisible()
  await opened.getByRole('button', { name: 'Next passage' }).click()
  const site = panel(page, 'Rents')
  await expect(site.locator('mark').filter({ hasText: 'four percent' })).toBeVisible()
  await expect(site.getByRole('link', { name: `${web.site.url}/rents` })).toBeVisible()
  await expect(site.getByText(/^fetched /)).toBeVisible()
  await site.getByRole('button', { name: 'Close the source' }).click()
}

test(
  'sources of a cloud chat are sent with their progress, read, cited, and opened [ST-037, ST-126, ST-128, ST-132, ST-149]',
  deep,
  async ({ page, server, gateway, web }) => {
    await aCloudChat(page, server, gateway)
    // More than the first piece: the second one stays on its way.
    let letGo = (): void => undefined
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(/\/api\/embeddings\/uploads\/[^/?]+\?offset=[1-9]/, async (route) => {
      await isLetGo
      await route.continue()
    })
    await addFiles(page, handbook(300, 97, fact))
    const row = sourcesBar(page).getByRole('listitem').filter({ hasText: 'handbook.pdf' })
    await expect(row).toContainText(/Sending file\.\.\. [1-9]\d?%/)
    await expect(row.getByRole('progressbar')).toBeVisible()
    letGo()
    await expect(row).toContainText('Processed, 300 pages', { timeout: 30_000 })
    await addRents(page, web)
    const { n } = await askAndCite(page, gateway)
    await expect(
      answers(page)
        .nth(1)
        .getByText(/^Read: \d+ of \d+ passages of handbook\.pdf · 1 web page$/),
    ).toBeVisible()
    await expect(sourcesBar(page)).toContainText('2 sources of this chat')
    await seeBoth(page, web, { n, place: 'Page 97 of 300' })
  },
)

/** The one chat of somebody on another device of theirs. */
async function onSecondDevice(browser: Browser, server: ParleyServer): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const other = await context.newPage()
  await other.goto(`${server.url}/app`)
  await signIn(other, ana)
  await chatRows(other).getByRole('link').click()
  return other
}

test('sources of a cloud chat are opened on a second device, a phone [ST-149]', async ({
  page,
  browser,
  server,
  gateway,
  web,
}) => {
  await aCloudChat(page, server, gateway)
  await addFiles(page, handbook(5, 4, fact))
  await expect(sourcesBar(page).getByRole('listitem').filter({ hasText: 'handbook.pdf' })).toContainText('Processed')
  await addRents(page, web)
  const { n } = await askAndCite(page, gateway)

  const other = await onSecondDevice(browser, server)
  await other.setViewportSize({ width: 390, height: 844 })
  await expect(sourcesBar(other)).toContainText('2 sources of this chat')
  await seeBoth(other, web, { n, place: 'Page 4 of 5' })
  await other.context().close()
})

test('a source of a cloud chat that is switched off on a second device is so on the first one too [ST-153]', async ({
  page,
  browser,
  server,
  gateway,
  web,
}) => {
  await aCloudChat(page, server, gateway)
  await addFiles(page, text('lease.txt', 'The rent is 900 euro.'))
  await expect(sourcesBar(page).getByRole('listitem').filter({ hasText: 'lease.txt' })).toContainText('Processed')
  await addRents(page, web)
  gateway.next({ text: 'It is 900 euro.' })
  await ask(page, 'What is the rent?')
  await expect(answers(page).nth(1)).toContainText('It is 900 euro.')
  await untilAnswered(page)

  const other = await onSecondDevice(browser, server)
  await sourcesBar(other).getByRole('button', { name: 'Manage' }).click()
  await manageDialog(other).getByRole('switch', { name: 'Use Rents' }).click()
  await manageDialog(other).getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(other, 'Jobs updated successfully!')).toBeVisible()
  await other.context().close()
  await sourcesBar(page).getByRole('button', { name: 'Manage' }).click()
  await expect(manageDialog(page).getByRole('switch', { name: 'Use Rents' })).not.toBeChecked()
  await expect(manageDialog(page).getByText('1 of 2 in use')).toBeVisible()
  await expectNothing(page, 'the sources of a cloud chat')
})

test('the web is searched once somebody has signed in and switched it on, at a price that is told, and what was found is cited [ST-084, ST-078, CH-177]', async ({
  page,
  server,
  gateway,
  web,
}) => {
  await signUp(server, ana)
  const webSwitch = page.getByRole('switch', { name: /^Web search/ })
  await webSwitch.click()
  await enter(page, ana)
  await expect(webSwitch).toHaveAccessibleName('Web search, $0.005 each search')
  await expect(webSwitch).not.toBeChecked()
  await webSwitch.focus()
  await page.keyboard.press('Space')
  await expect(webSwitch).toBeChecked()
  await expect(page.getByText('While web search is on, the search words leave this device.')).toBeVisible()
  await expectNothing(page, 'a chat that searches the web')

  gateway.next({ text: 'By four percent [1], not by nine [2].' })
  await ask(page, 'How much did rents rise in 2026?')
  const answer = answers(page).first()
  await expect(answer).toContainText('not by nine [2].')
  await untilAnswered(page)
  expect(web.engine.queries).toContain('How much did rents rise in 2026?')
  expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content).toContain(rentFact)
  await expect(answer.getByText('Read: 1 web page')).toBeVisible()
  await chip(answer, 1).focus()
  await expect(page.getByRole('tooltip')).toContainText(rentFact)
  await page.keyboard.press('Enter')
  const opened = panel(page, 'Rents')
  await expect(opened.getByRole('link', { name: `${web.site.url}/rents` })).toBeVisible()
  await expect(opened.getByText('Here is the passage that was read.')).toBeVisible()
  await expect(opened).toContainText(rentFact)
  await page.keyboard.press('Escape')
  await expect(chip(answer, 1)).toBeFocused()
})
