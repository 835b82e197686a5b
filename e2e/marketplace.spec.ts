import type { AgentDraft, OwnAgent } from '@parley/contract/agents'
import type { Locator, Page } from '@playwright/test'
import { expectNothingSerious } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import { ana, bruno, call, enter, expect, otherSession, type Person, panelOf, refusalNoise, seeToast, signIn, signInButton, signUp, test } from './people'

test.use({ emptyTables: true })

const draft = (fields: Partial<AgentDraft> = {}): AgentDraft => ({
  name: 'Lighthouse keeper',
  language: 'en',
  role: 'Knows the coast',
  about: 'Answers questions about lamps, storms and ships.',
  prompt: 'CANARY: you know everything about lighthouses.',
  profileImage: '/api/faces/keeper.svg',
  private: false,
  enabled: true,
  ...fields,
})

type Maker = { token: string; userId: string; make: (fields?: Partial<AgentDraft>) => Promise<OwnAgent>; like: (id: string) => Promise<void> }

/** Somebody who publishes by the API, on a device of their own. */
async function aMaker(server: ParleyServer, person: Person): Promise<Maker> {
  await signUp(server, person)
  const { token, userId } = await otherSession(server, person)
  return {
    token,
    userId,
    make: async (fields) => {
      const response = await call(server, 'POST', '/v1/assistants', { token, body: draft(fields) })
      expect(response.status).toBe(201)
      return response.json()
    },
    like: async (assistantId) => {
      expect((await call(server, 'POST', '/v1/assistants/likes', { token, body: { assistantId, userId } })).status).toBe(200)
    },
  }
}

const cardOf = (page: Page, name: string, place: Page | Locator = page) =>
  place.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search agents' })
const info = (page: Page, role = 'Knows the coast') => page.getByRole('dialog', { name: role })
const likeOn = (place: Locator) => place.getByRole('button', { name: /^Like / })

test.describe('a visitor', () => {
  test.use({ allowedNoise: refusalNoise })

  test('looks around, opens a shared link, copies it, and is told what is private or gone [AG-001, AG-004, AG-005, AG-082, AG-083, AG-084, AG-085]', async ({
    page,
    server,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const maker = await aMaker(server, bruno)
    const languages = (['en', 'pt', 'es'] as const).map((language, place) => ({
      language,
      role: ['Knows the coast', 'Conhece a costa', 'Conoce la costa'][place] ?? '',
      about: `About, ${language}`,
      prompt: 'CANARY',
    }))
    const open = await maker.make({ name: 'Farol', languages })
    const hidden = await maker.make({ name: 'Hidden', private: true })

    await page.goto(`${server.url}/assistants`)
    await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible()
    for (const name of ['Top picks', 'Parley', 'Community', 'My Agents', 'SUI']) await expect(tab(page, name)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Trending' }).getByRole('article')).toHaveCount(1)
    await expect(cardOf(page, 'Farol')).toContainText('Knows the coast')
    const box = page.getByRole('searchbox', { name: 'Search agents' })
    await box.fill('zzzqqq')
    await expect(page.getByRole('heading', { name: 'No assistants found for "zzzqqq"' })).toBeVisible()
    await box.fill('farol')
    await expect(page.getByRole('heading', { name: 'Found 1 result for "farol"' })).toBeVisible()

    await page.goto(`${server.url}/assistant/${open._id}`)
    const dialog = info(page, 'Knows the coast')
    await expect(dialog.getByRole('heading', { name: 'Knows the coast' })).toBeVisible()
    await expect(dialog).toContainText('Created by bruno')
    await expect(dialog.getByRole('button', { name: 'Start chat' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await seeToast(page, 'Link copied!')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/assistant/${open._id}`)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`${server.url}/assistants`)

    for (const [id, text] of [
      [hidden._id, 'This assistant is private.'],
      ['nobody-has-this-one', 'Assistant not found.'],
    ] as const) {
      await page.goto(`${server.url}/assistant/${id}`)
      const problem = page.getByRole('dialog', { name: text })
      await problem.getByRole('button', { name: 'Back to assistants' }).click()
      await expect(page).toHaveURL(`${server.url}/assistants`)
      await expect(problem).toBeHidden()
    }
  })
})

test('a visitor who clicks a card signs in, and the agent is there; every call is one to this server [AG-025, AG-041, CH-024, CH-030]', async ({
  page,
  server,
}) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const maker = await aMaker(server, bruno)
  await maker.make()
  await signUp(server, ana)
  await page.getByRole('navigation').getByRole('button', { name: 'Agents' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${server.url}/app`)

  await page.goto(`${server.url}/assistants`)
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
  await expect(signInButton(page)).toBeVisible()
  await cardOf(page, 'Lighthouse keeper').getByRole('link').click()
  await expect(panelOf(page).panel).toBeVisible()
  await enter(page, ana)
  await expect(info(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
  await page.setViewportSize({ width: 461, height: 844 })
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
  expect([...hosts]).toEqual([new URL(server.url).host])
})

test('Publish reads Create where it is narrow, and the menu of the account leads here [AG-008, CH-167]', async ({ page, server }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await page.getByRole('button', { name: /: Account$/ }).click()
  await page.getByRole('link', { name: 'Agents' }).click()
  await expect(page).toHaveURL(`${server.url}/assistants`)
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
  await page.setViewportSize({ width: 460, height: 844 })
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
})

test.describe('when an agent becomes private', () => {
  test.use({ allowedNoise: refusalNoise })

  test('one person publishes, another likes and chats; made private, it is gone for the stranger at the next look [AG-001, AG-074, AG-076, AG-078, AG-084]', async ({
    page,
    server,
    context,
  }) => {
    const maker = await aMaker(server, bruno)
    const agent = await maker.make()
    await maker.make({ name: 'Harbour pilot', role: 'Guides ships' })
    await maker.like(agent._id)
    await signUp(server, ana)
    await signIn(page, ana)
    await page.goto(`${server.url}/assistants`)
    const card = cardOf(page, 'Lighthouse keeper', page.getByRole('region', { name: 'Trending' }))
    await expect(likeOn(card)).toHaveText('1')
    await likeOn(card).click()
    await expect(likeOn(card)).toHaveText('2')
    await expect(likeOn(card)).toHaveAttribute('aria-pressed', 'true')
    await expect(likeOn(card)).not.toHaveAttribute('aria-busy', 'true')
    await page.reload()
    await expect(likeOn(card)).toHaveAttribute('aria-pressed', 'true')

    await card.getByRole('link').click()
    await expect(info(page)).toContainText('1 In productivity')
    await expect(likeOn(info(page))).toHaveText('2')
    await info(page)
      .getByRole('region', { name: 'More by bruno' })
      .getByRole('link', { name: /Harbour pilot/ })
      .click()
    await expect(info(page, 'Guides ships')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`${server.url}/assistants`)
    await expect(card.getByRole('link')).toBeVisible()

    // Another tab looks at it while its owner makes it private.
    const other = await context.newPage()
    await other.goto(`${server.url}/assistant/${agent._id}`)
    await expect(info(other)).toBeVisible()
    expect((await call(server, 'POST', '/v1/assistants', { token: maker.token, body: draft({ _id: agent._id, private: true }) })).status).toBe(201)
    await other.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await expect(other.getByRole('dialog', { name: 'This assistant is private.' })).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByRole('article').filter({ hasText: 'Harbour pilot' })).toBeVisible()
    await expect(card).toHaveCount(0)
    await expect(page.locator('body')).not.toContainText('Lighthouse keeper')

    await cardOf(page, 'Harbour pilot').getByRole('link').click()
    await info(page, 'Guides ships').getByRole('button', { name: 'Start chat' }).click()
    await expect(page).toHaveURL(`${server.url}/app`)
    await expect(page.getByRole('main')).toContainText('Harbour pilot')
  })
})

test('somebody finds an agent, likes it, turns pages and keeps the tab, all by the keyboard [AG-009, AG-014, AG-015, AG-016, AG-018]', async ({
  page,
  server,
}) => {
  const maker = await aMaker(server, bruno)
  for (let n = 0; n < 22; n++) await maker.make({ name: `Helper ${n}`, role: 'One of many' })
  await maker.make()
  await signUp(server, ana)
  await signIn(page, ana)
  await page.goto(`${server.url}/assistants`)
  await expect(tab(page, 'Top picks')).toBeVisible()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('lighthouse')
  await expect(page.getByRole('heading', { name: 'Found 1 result for "lighthouse"' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  const card = cardOf(page, 'Lighthouse keeper')
  await card.getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(likeOn(card)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(likeOn(card)).toHaveText('1')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(info(page).getByRole('button', { name: 'Start chat' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card.getByRole('link')).toBeFocused()
  // What was searched for is still there.
  await expect(search(page)).toHaveValue('lighthouse')
  await search(page).focus()
  await page.keyboard.press('Escape')
  await expect(tab(page, 'Top picks')).toBeVisible()

  await tab(page, 'Top picks').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Community')).toBeFocused()
  await expect(page.getByRole('article')).toHaveCount(21)
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await page.getByRole('button', { name: 'Next' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.reload()
  await expect(tab(page, 'Community')).toHaveAttribute('aria-selected', 'true')
})

test('hostile names, roles and abouts are texts, and stay inside their cards', async ({ page, server }) => {
  const maker = await aMaker(server, bruno)
  const hostile = [
    { name: '<img src=x onerror=alert(1)>', role: '<script>alert(1)</script>', about: '<iframe src="javascript:alert(1)"></iframe>' },
    { name: 'W'.repeat(30), role: 'x'.repeat(200), about: 'y'.repeat(1_000) },
    { name: 'مساعد الكتابة', role: 'يساعدك في الكتابة (والترجمة)', about: '{{term}} $t(agents.title)' },
  ]
  for (const fields of hostile) await maker.make(fields)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(`${server.url}/assistants`)
    for (const { name } of hostile) {
      const card = cardOf(page, name)
      await expect(card).toBeVisible()
      const isInside = await card.evaluate((element) => {
        const box = element.getBoundingClientRect()
        const parts = [...element.querySelectorAll('h3, p, footer, footer *')].map((part) => part.getBoundingClientRect())
        // The anchors of tooltips have no box.
        return parts.filter(({ width }) => width > 0).every(({ left, right }) => left >= box.left - 1 && right <= box.right + 1)
      })
      expect(isInside, name).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(server, ana)
  await signIn(page, ana)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/assistants`)
  for (const { name, role, about } of hostile) {
    await cardOf(page, name).getByRole('link').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(role)
    await expect(dialog.getByText(about, { exact: true })).toBeVisible()
    expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await page.keyboard.press('Escape')
  }
  expect(dialogs).toEqual([])
})

test('axe finds nothing serious in the marketplace and in what is told of an agent', async ({ page, server }) => {
  // Twelve times over the whole page.
  test.slow()
  const maker = await aMaker(server, ana)
  await maker.make()
  await maker.make({ name: 'Quiet keeper', private: true })
  await maker.make({ name: 'Resting keeper', enabled: false })
  await signIn(page, ana)
  await page.goto(`${server.url}/assistants`)
  await expect(cardOf(page, 'Lighthouse keeper')).toBeVisible()
  await expectNothingSerious(page, 'marketplace')
  await tab(page, 'My Agents').click()
  await expect(cardOf(page, 'Quiet keeper')).toBeVisible()
  await expectNothingSerious(page, 'my agents')
  await cardOf(page, 'Lighthouse keeper').getByRole('link').click()
  await expect(info(page)).toBeVisible()
  await expectNothingSerious(page, 'agent')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingSerious(page, 'agent, narrow')
  await page.keyboard.press('Escape')
  await expectNothingSerious(page, 'my agents, narrow')
  await search(page).fill('keeper')
  await expect(page.getByRole('heading', { name: /^Found/ })).toBeVisible()
  await expectNothingSerious(page, 'search, narrow')
})
