import { deep } from './deep'
import { answers, answerText, ask, composer, expect, newChat, test, untilAppRuns } from './journey'

test('the first screen has its two fonts, and no other before there is code', async ({ page }) => {
  // The page names a font once by itself and once more in the sheet that comes after it.
  const loaded = async () => {
    const families = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    )
    return [...new Set(families)]
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect
    .poll(async () => (await loaded()).toSorted())
    .toEqual(['Bricolage Grotesque Variable', 'Instrument Sans Variable'])
})

test('the message box grows to 400 px and no further [ST-035]', async ({ page }) => {
  await untilAppRuns(page)
  await composer(page).fill('line\n'.repeat(100))
  expect((await composer(page).boundingBox())?.height).toBe(400)
})

test('an input method that is composing keeps Enter for itself [ST-042]', deep, async ({ page, gateway }) => {
  await untilAppRuns(page)
  await composer(page).fill('日本')
  await composer(page).evaluate((box) =>
    box.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
    ),
  )
  await expect(composer(page)).toHaveValue('日本')
  expect(gateway.requests).toHaveLength(0)
})

test('a message can be copied, and deleted after asking [ST-040, ST-043, ST-044]', async ({
  page,
  context,
  gateway,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  gateway.next({ text: 'Copy **me**' })
  await ask(page, 'Something to copy')
  await expect(answers(page).first()).toContainText('Copy me')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Copy **me**')

  await answers(page).first().getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Delete this message?')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(answers(page)).toHaveCount(1)
  await answers(page).first().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(page.getByText('Message deleted successfully!')).toBeVisible()
  await expect(answers(page)).toHaveCount(0)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await expect(answers(page)).toHaveCount(0)
})

test.describe('in Portuguese', () => {
  test.use({ locale: 'pt-BR' })

  test('an empty answer apologises, says so and offers to send again [CH-183, ST-041, ST-047, ST-093]', async ({
    page,
    gateway,
  }) => {
    gateway.next({ text: '' })
    await ask(page, 'Alô?')
    await expect(page.getByText('Erro ao receber mensagem, por favor, tente novamente.')).toBeVisible()
    await expect(answers(page).first()).toContainText(
      'Peço desculpas, mas estou com dificuldade para gerar uma resposta agora. Tente novamente em alguns instantes.',
    )
    gateway.next({ text: 'Agora sim.' })
    await page.getByRole('button', { name: 'Reenviar' }).click()
    await expect(answers(page).first()).toContainText('Agora sim.')
    await expect(page.locator('[data-question]')).toHaveCount(1)
  })

  test('what the gateway refuses is explained in the person’s language, and the question stays [ST-101]', async ({
    page,
    gateway,
  }) => {
    gateway.next({ status: 402 })
    await ask(page, 'Quanto custa?')
    await expect(answers(page).first()).toContainText('O provedor de modelos está sem crédito para este modelo.')
    await expect(page.locator('[data-question]')).toContainText('Quanto custa?')
    gateway.next({ text: 'Pronto.' })
    await page.getByRole('button', { name: 'Reenviar' }).click()
    await expect(answers(page).first()).toContainText('Pronto.')
  })
})

test('the list follows the answer only while the reader is at its end [ST-039]', async ({ page, gateway }) => {
  gateway.next({ text: Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of the first answer.`).join('\n\n') })
  await ask(page, 'A long one')
  await expect(page.getByRole('log').getByText('Paragraph 59 of the first answer.')).toBeInViewport()

  gateway.next({
    text: Array.from({ length: 120 }, (_, n) => `Line ${n} of the second.`).join('\n\n'),
    tokensPerSecond: 400,
    holdAfter: 700,
  })
  await ask(page, 'Another long one')
  const log = page.getByRole('log')
  await expect(log.getByText('Line 20 of the second.')).toBeAttached()
  await expect
    .poll(() => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight))
    .toBeLessThan(50)
  // By hand: for a moment after a question nothing else leads away from the end.
  await log.hover()
  await page.mouse.wheel(0, -1_000)
  await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible()
  gateway.release()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 20_000 })
  await expect(log.getByText('Line 119 of the second.')).not.toBeInViewport()
  await page.getByRole('button', { name: 'Jump to the latest message' }).click()
  await expect(page.getByRole('log').getByText('Line 119 of the second.')).toBeInViewport()
})

test('what stands above an answer can be pressed while the list scrolls', async ({ page, gateway }) => {
  gateway.next({ text: 'Of the first.' })
  await ask(page, 'A short one')
  await expect(answers(page).first()).toContainText('Of the first.')
  gateway.next({ text: Array.from({ length: 120 }, (_, n) => `Line ${n} of the second.`).join('\n\n') })
  await ask(page, 'A long one')
  await expect(page.getByRole('log').getByText('Line 119 of the second.')).toBeInViewport()
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -10_000)
  await expect(answers(page).first()).toBeInViewport()
  const pressed = await page.getByRole('log').evaluate(async (list) => {
    const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    list.scrollTop = list.scrollTop > 0 ? 0 : 5
    await twoFrames()
    const { left, top } = document.querySelector('[data-answer-text]')?.getBoundingClientRect() ?? { left: 0, top: 0 }
    return document.elementFromPoint(left + 5, top + 5)?.closest('[data-answer-text]')?.textContent
  })
  expect(pressed).toContain('Of the first.')
})

test.describe('somebody with several chats', () => {
  test.use({ signedIn: true })

  test('the heading is anonymous while no channel is open, and the channel’s name with its home when one is [ST-034, CH-034, CH-035]', async ({
    page,
    gateway,
  }) => {
    await expect(page.getByRole('banner').or(page.locator('header')).getByText('anonymous')).toBeVisible()
    gateway.next({ text: 'ok' })
    await ask(page, 'How do I plan a trip to Lisbon?')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('How do I plan a trip to Lisbon')
    await expect(page.getByText('anonymous')).toBeHidden()
    await expect(page.getByText('On this device', { exact: true })).toBeVisible()
  })

  test('the same question twice in a moment is asked once, and the box keeps its text [ST-056]', async ({
    page,
    gateway,
  }) => {
    // A moment, however slow the machine is.
    await page.clock.setFixedTime(new Date())
    gateway.next({ text: 'word '.repeat(200), holdAfter: 50 })
    await ask(page, 'Once only')
    await expect(answers(page).first()).toContainText('word')
    await newChat(page)
    await ask(page, 'Once only')
    await expect(composer(page)).toHaveValue('Once only')
    expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
  })

  test(
    'switching channels shows the stored messages of each, and New chat none [ST-054, ST-060, CH-021, CH-037]',
    deep,
    async ({ page, gateway }) => {
      for (const name of ['first', 'second']) {
        await newChat(page)
        gateway.next({ text: `Answer to the ${name}.` })
        await ask(page, `The ${name} question`)
        await expect(answers(page).first()).toContainText(`Answer to the ${name}.`)
      }
      await page.getByRole('navigation').getByText('The first question').click()
      await expect(answers(page)).toHaveCount(1)
      await expect.poll(() => answerText(page)).toBe('Answer to the first.')
      await page
        .getByRole('navigation')
        .getByRole('link', { name: /Parley/ })
        .click()
      await expect(answers(page)).toHaveCount(0)
      await expect(page).toHaveURL(/\/app$/)
    },
  )
})
