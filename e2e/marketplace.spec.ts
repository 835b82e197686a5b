import type { Locator, Page } from '@playwright/test'
import { deep } from './deep'
import { aMaker, cardOf, draft, info, tab } from './marketplace-steps'
import { expectNothingSerious } from './nothing-serious'
import { ana, bruno, call, expect, refusalNoise, signIn, signUp, test } from './people'

test.use({ emptyTables: true })

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search agents' })

const likeOn = (place: Locator) => place.getByRole('button', { name: /^Like / })

test.describe('when an agent becomes private', () => {
  test.use({ allowedNoise: refusalNoise })

  test(
    'one person publishes, another likes and chats; made private, it is gone for the stranger at the next look [AG-001, AG-074, AG-076, AG-078, AG-084]',
    deep,
    async ({ page, server, context }) => {
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
      expect(
        (
          await call(server, 'POST', '/v1/assistants', {
            token: maker.token,
            body: draft({ _id: agent._id, private: true }),
          })
        ).status,
      ).toBe(201)
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
    },
  )
})

test('somebody finds an agent, likes it, turns pages and keeps the tab, all by the keyboard [AG-009, AG-014, AG-015, AG-016, AG-018]', async ({
  page,
  server,
}) => {
  // Fourteen times over the whole page.
  test.slow()
  const maker = await aMaker(server, bruno)
  for (let n = 0; n < 21; n++) await maker.make({ name: `Helper ${n}`, role: 'One of many' })
  await maker.make()
  const own = await aMaker(server, ana)
  await own.make({ name: 'Harbour keeper' })
  await own.make({ name: 'Quiet keeper', private: true })
  await own.make({ name: 'Resting keeper', enabled: false })
  await signIn(page, ana)
  await page.goto(`${server.url}/assistants`)
  await expect(tab(page, 'Top picks')).toBeVisible()
  await expect(cardOf(page, 'Lighthouse keeper').first()).toBeVisible()
  await expectNothingSerious(page, 'marketplace')
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('lighthouse')
  await expect(page.getByRole('heading', { name: 'Found 1 result for "lighthouse"' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  const card = cardOf(page, 'Lighthouse keeper')
  await expectNothingSerious(page, 'search')
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

  await tab(page, 'Community').focus()
  await page.keyboard.press('ArrowRight')
  await expect(cardOf(page, 'Quiet keeper')).toBeVisible()
  await expect(cardOf(page, 'Resting keeper')).toBeVisible()
  await expectNothingSerious(page, 'my agents')
  await cardOf(page, 'Harbour keeper').getByRole('link').press('Enter')
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

test('hostile names, roles and abouts are texts, and stay inside their cards', async ({ page, server }) => {
  const maker = await aMaker(server, bruno)
  const hostile = [
    {
      name: '<img src=x onerror=alert(1)>',
      role: '<script>alert(1)</script>',
      about: '<iframe src="javascript:alert(1)"></iframe>',
    },
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
        const parts = [...element.querySelectorAll('h3, p, footer, footer *')].map((part) =>
          part.getBoundingClientRect(),
        )
        // The anchors of tooltips have no box.
        return parts
          .filter(({ width }) => width > 0)
          .every(({ left, right }) => left >= box.left - 1 && right <= box.right + 1)
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
