import { test as behindNetwork } from './behind-network'
import { deep } from './deep'
import { answers, answerText, ask, composer, expect, networkNoise, test, untilAnswered } from './journey'
import { short } from './short'

test.use({ allowedNoise: networkNoise })

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')

behindNetwork(
  'an answer whose socket is cut five times arrives exactly as the model wrote it [ST-090]',
  async ({ page, network, gateway }) => {
    const text = words(400)
    gateway.next({ text, tokensPerSecond: 80, holdAfter: 2_500 })
    await ask(page, 'Write slowly.')
    for (let cut = 1; cut <= 5; cut++) {
      await expect(answers(page).first()).toContainText(`word${cut * 60}`, { timeout: 30_000 })
      network.cutWebSockets()
    }
    gateway.release()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 30_000 })
    await expect.poll(() => answerText(page)).toBe(text)
    expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
  },
)

behindNetwork(
  'an answer whose socket is cut while its model thinks has all of what was thought',
  deep,
  async ({ page, network, gateway }) => {
    const thinks = words(400)
    gateway.next({ thinks, text: 'So.', tokensPerSecond: 80, holdAfter: 2_500 })
    await ask(page, 'Think slowly.')
    await page.locator('[data-thinking="live"] button').click()
    const thoughts = page.getByRole('region', { name: 'What the model thought' })
    for (let cut = 1; cut <= 3; cut++) {
      await expect(thoughts).toContainText(`word${cut * 60}`, { timeout: 30_000 })
      network.cutWebSockets()
    }
    gateway.release()
    await expect(answers(page).first()).toContainText('So.', { timeout: 30_000 })
    await expect(page.locator('[data-thinking="over"]')).toBeVisible()
    await expect(thoughts).toHaveText(thinks)
  },
)

test('a reload in the middle of an answer loses and repeats nothing', short, async ({ page, gateway }) => {
  const text = words(120)
  gateway.next({ text, holdAfter: 200 })
  await ask(page, 'Write while I reload.')
  await expect(answers(page).first()).toContainText('word20')
  await page.reload()
  await expect(answers(page).first()).toContainText('word20')
  gateway.release()
  await expect(answers(page).first()).toContainText('word119', { timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
  await expect.poll(() => answerText(page)).toBe(text)
})

behindNetwork(
  'the answer in a chat that is deleted while the network is away is stopped when it is back',
  async ({ page, network, gateway }) => {
    gateway.next({ text: words(600), holdAfter: 1_000 })
    await ask(page, 'Who reads this?')
    await expect(answers(page).first()).toContainText('word20')
    network.goDown()
    await page.getByRole('button', { name: /^Delete / }).click()
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(answers(page)).toHaveCount(0)
    expect(gateway.requests.at(-1)?.aborted).toBe(false)
    network.comeBack()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => gateway.requests.at(-1)?.aborted).toBe(true)
  },
)

test('Stop ends the answer, keeps what had arrived and stops the model [ST-049, ST-088, ST-095]', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: words(600), tokensPerSecond: 30, holdAfter: 1_000 })
  await ask(page, 'A long one.')
  await expect(answers(page).first()).toContainText('word30')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped by you')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await expect.poll(() => gateway.requests.at(-1)?.aborted).toBe(true)
  const kept = await answerText(page)
  await page.reload()
  await expect(page.getByText('Stopped by you')).toBeVisible()
  await expect.poll(() => answerText(page)).toBe(kept)
})

test.describe('a server that is killed', () => {
  test.use({ ownServer: true })

  test('in mid-answer and started again: what had arrived is kept and marked, Continue completes it', async ({
    page,
    gateway,
    server,
  }) => {
    gateway.next({ text: words(600), tokensPerSecond: 30, holdAfter: 1_000 })
    await ask(page, 'Will you survive?')
    await expect(answers(page).first()).toContainText('word40')
    await server.stop('SIGKILL')
    await server.launch()
    await expect(page.getByText('The answer was interrupted')).toBeVisible({ timeout: 30_000 })
    const kept = await answerText(page)
    expect(words(600).startsWith(kept.replace(/\s+\S*$/, ''))).toBe(true)
    await expect(page.locator('[data-question]')).toHaveCount(1)

    gateway.next({ text: ' and this is the rest.' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(answers(page).first()).toContainText('and this is the rest.')
    const completed = await answerText(page)
    expect(completed.startsWith(kept.slice(0, 200))).toBe(true)
    await expect(answers(page)).toHaveCount(1)
  })
})

test('an interrupted question can be sent again and is answered once', async ({ page, gateway }) => {
  // A break before the first word is shown is mended by asking again.
  gateway.next({ text: words(600), tokensPerSecond: 60, breakAfter: 300, breakBy: 'cut' })
  await ask(page, 'Again, please.')
  await expect(page.getByText('The answer was interrupted')).toBeVisible()
  await expect(answers(page).first()).toContainText('word20')
  gateway.next({ text: 'A fresh answer.' })
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect(answers(page).first()).toContainText('A fresh answer.')
  await expect(answers(page).first()).not.toContainText('word20')
  await expect(page.locator('[data-question]')).toHaveCount(1)
})

test.describe('once the app is kept on the device', () => {
  test.use({ serviceWorkers: 'allow' })

  test('old chats are readable offline, a question waits and is answered when the network is back', async ({
    page,
    context,
    gateway,
  }) => {
    gateway.next({ text: 'Kept for the plane.' })
    await ask(page, 'Remember this.')
    await expect(answers(page).first()).toContainText('Kept for the plane.')
    await untilAnswered(page)
    await page.evaluate(() => navigator.serviceWorker.ready)

    // A browser keeps what it has fetched beside that for as long as it likes.
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
    const missingFonts: string[] = []
    page.on('requestfailed', (request) => request.resourceType() === 'font' && missingFonts.push(request.url()))
    await context.setOffline(true)
    await page.reload()
    await expect(answers(page).first()).toContainText('Kept for the plane.')
    await page.evaluate(() => document.fonts.ready)
    expect(missingFonts).toEqual([])
    gateway.next({ text: 'Back on the ground.' })
    await ask(page, 'Answer me later.')
    await expect(page.locator('[data-question]')).toHaveCount(2)
    await page.reload()
    await expect(page.locator('[data-question]')).toHaveCount(2)
    await context.setOffline(false)
    await expect(answers(page).nth(1)).toContainText('Back on the ground.', { timeout: 30_000 })
    expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(2)
  })
})

test.describe('before the app is kept on the device', () => {
  test.use({ signedIn: true })

  test('what could not be loaded is said, and comes, with its styles, when the connection is back; the page stays as it is', async ({
    page,
    context,
    gateway,
  }) => {
    let isDown = true
    await context.route(/\/assets\/(?:markdown|shortcuts-dialog|settings-screen)-.*\.(?:js|css)$/, (route) =>
      isDown ? route.abort() : route.continue(),
    )
    // What draws answers is fetched at the first sign of the person.
    await page.reload()
    gateway.next({ text: 'An answer, **even so**.' })
    await ask(page, 'Do you read me?')
    await expect(answers(page).first()).toContainText('An answer, **even so**.')
    await untilAnswered(page)
    await composer(page).blur()
    await page.keyboard.press('?')
    const waits = page.getByText('This could not be loaded. It opens as soon as the connection is back.')
    await expect(waits).toBeVisible()
    isDown = false
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(dialog).toBeVisible({ timeout: 15_000 })
    await page.keyboard.press('Escape')
    await expect(answers(page).first().locator('strong')).toHaveText('even so', { timeout: 15_000 })
    await expect(waits).toBeHidden()
    isDown = true
    await page.getByRole('button', { name: /: Account$/ }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(waits).toBeVisible()
    await expect(page.getByRole('main').locator('[aria-busy]')).toBeVisible()
    isDown = false
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible({ timeout: 15_000 })
    // A sheet that failed is there as well, and nobody may read its rules.
    const styles = await page.evaluate(() => {
      const isRead = (sheet: CSSStyleSheet): boolean => {
        try {
          return sheet.cssRules.length > 0
        } catch {
          return false
        }
      }
      return [...document.styleSheets].filter(isRead).map(({ href }) => href ?? '')
    })
    expect(styles.filter((href) => href.includes('/settings-screen-')).length).toBeGreaterThan(0)
  })
})
