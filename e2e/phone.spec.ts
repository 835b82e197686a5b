import type { Page } from '@playwright/test'
import { answers, ask, composer, expect, test, untilAnswered } from './journey'
import { short } from './short'

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

test(
  'on a phone nothing is wider than the screen and every control can be touched',
  short,
  async ({ page, gateway }) => {
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
        .map((element) => ({
          name: element.getAttribute('aria-label') ?? element.textContent,
          box: element.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 0 && (box.height < 36 || box.width < 36))
        .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
    )
    expect(small).toEqual([])
  },
)

/** Where the lower edge of Send is, in the part of the page that can be seen. */
const sendEnds = async (page: Page): Promise<number> => {
  const box = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()
  return box ? box.y + box.height : Number.POSITIVE_INFINITY
}

test('on a phone the composer stands above the keyboard, whether that shrinks the page or covers it, and outside of notch and home bar', async ({
  page,
  context,
  gateway,
}) => {
  const screen = await context.newCDPSession(page)
  const setInsets = (insets: object) => screen.send('Emulation.setSafeAreaInsetsOverride', { insets })
  /** As iOS does: the page keeps its size, and the keyboard lies over its lower part. */
  const cover = (px: number) =>
    page.evaluate((covered) => {
      const { visualViewport } = window
      if (!visualViewport) throw new Error('no visual viewport')
      Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => innerHeight - covered })
      visualViewport.dispatchEvent(new Event('resize'))
    }, px)
  await setInsets({ top: 47, bottom: 34 })
  await composer(page).fill('Before the first answer')
  await page.setViewportSize({ width: 390, height: 480 })
  await expect.poll(() => sendEnds(page)).toBeLessThanOrEqual(480)
  await page.setViewportSize({ width: 390, height: 844 })

  gateway.next({ text: 'Line by line.\n\n'.repeat(40) })
  await ask(page, 'A long one')
  await expect(answers(page).first()).toContainText('Line by line.')
  await untilAnswered(page)
  await expect.poll(() => sendEnds(page)).toBeLessThanOrEqual(844 - 34)
  expect((await page.getByRole('button', { name: 'Open menu' }).boundingBox())?.y).toBeGreaterThanOrEqual(47)
  await composer(page).tap()
  await page.setViewportSize({ width: 390, height: 480 })
  await expect.poll(() => sendEnds(page)).toBeLessThanOrEqual(480)
  await page.setViewportSize({ width: 390, height: 844 })

  await page.waitForFunction(() => document.documentElement.style.getPropertyValue('--keyboard') !== '')
  await cover(336)
  await expect.poll(() => sendEnds(page)).toBeLessThanOrEqual(844 - 336)
  await cover(0)
  await expect.poll(() => sendEnds(page)).toBeGreaterThan(700)

  // On its side.
  await page.setViewportSize({ width: 844, height: 390 })
  await setInsets({ left: 47, right: 47, bottom: 21 })
  const sendBox = async () =>
    (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()) ?? {
      x: Number.POSITIVE_INFINITY,
      width: 0,
    }
  await expect.poll(async () => (await sendBox()).x + (await sendBox()).width).toBeLessThanOrEqual(844 - 47)
  expect((await page.getByRole('button', { name: 'Open menu' }).boundingBox())?.x).toBeGreaterThanOrEqual(47)
})
