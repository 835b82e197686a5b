import { answers, ask, composer, expect, test, untilAnswered } from './journey'

test.use({ serviceWorkers: 'allow', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('on a phone the sidebar is a drawer that closes on selecting a chat, on Escape and on its veil; its icons are 18 px, and 21 where there is room [CH-018, CH-019, CH-031, AG-100]', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: 'Small screen, whole answer.' })
  await ask(page, 'On the go')
  await expect(answers(page).first()).toContainText('whole answer')

  const drawer = page.getByRole('navigation')
  await expect(drawer).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(drawer).toBeVisible()
  await page.touchscreen.tap(375, 400)
  await expect(drawer).toBeHidden()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await drawer.getByRole('link').filter({ hasText: 'local' }).tap()
  await expect(drawer).toBeHidden()
  await expect(answers(page).first()).toContainText('whole answer')

  // Hidden or not.
  const icon = page.locator('nav button', { hasText: 'New chat' }).locator('svg')
  const iconWidth = () => icon.evaluate((element) => getComputedStyle(element).width)
  expect(await iconWidth()).toBe('18px')
  await page.setViewportSize({ width: 991, height: 844 })
  expect(await iconWidth()).toBe('18px')
  await page.setViewportSize({ width: 992, height: 844 })
  await expect.poll(iconWidth).toBe('21px')
})

test('on a phone nothing is wider than the screen and every control can be touched', async ({ page, gateway }) => {
  gateway.next({
    text: `| ${'wide | '.repeat(30)}\n| ${'--- | '.repeat(30)}\n| ${'cell | '.repeat(30)}\n\n\`\`\`\n${'long code line '.repeat(40)}\n\`\`\`\n\n${'x'.repeat(400)}\n\nend`,
  })
  await ask(page, 'Wide things')
  await expect(answers(page).first()).toContainText('end')
  await untilAnswered(page)
  await expect(answers(page).first().getByRole('table')).toBeVisible()
  await expect(composer(page)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, a[href], textarea')]
      .map((element) => ({ name: element.getAttribute('aria-label') ?? element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 36 || box.width < 36))
      .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
  )
  expect(small).toEqual([])
})
