import type { Page } from '@playwright/test'
import { deep } from './deep'
import { answers, ask, expect, newChat, test, untilAnswered } from './journey'
import { expectNothing, expectNothingSerious } from './nothing-serious'

const pricing = { prompt: '0', completion: '0' }
// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.use({
  models: {
    data: [
      {
        ...{ id: 'meta-llama/llama-3.1-8b-instruct', name: 'Thinker', context_length: 100_000, pricing },
        supported_parameters: ['reasoning', 'temperature', 'max_tokens'],
      },
      { ...{ id: 'stand-in/fixed', name: 'Fixed', context_length: 100_000, pricing }, supported_parameters: [] },
    ],
  },
})

const button = (page: Page) => page.getByRole('button', { name: /^Answer settings: / })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Answers in this chat' })
const slider = (page: Page) => panel(page).getByRole('slider', { name: 'Temperature' })
const radio = (page: Page, name: string) => panel(page).getByRole('radio', { name, exact: true })
const instructions = (page: Page) => panel(page).getByRole('textbox', { name: 'Instructions' })

test('a chat of this device is answered with its own effort, temperature, length and instructions, chosen by keyboard before it begins', async ({
  page,
  gateway,
}) => {
  await expect(button(page)).toHaveAccessibleName('Answer settings: As usual')
  await button(page).focus()
  await page.keyboard.press('Enter')
  await expect(radio(page, 'Auto')).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(radio(page, 'Auto')).toBeFocused()
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
  await expect(radio(page, 'High')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(slider(page)).toBeFocused()
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '0.7')
  await page.keyboard.press('Shift+Tab')
  await expect(panel(page).getByRole('button', { name: "Use the agent's default" })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect(radio(page, 'Short')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(panel(page).getByRole('textbox', { name: 'Tokens at most' })).toHaveValue('300')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Rhyme.')
  await page.keyboard.press('Tab')
  await expect(panel(page).getByRole('button', { name: 'Reset all' })).toBeFocused()
  await expectNothingSerious(page, 'the settings of a chat', 'dialog')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(button(page)).toBeFocused()
  await expect(button(page)).toHaveAccessibleName('Answer settings: Changed')

  await ask(page, 'Why?')
  await expect(answers(page).first()).toContainText('You said: Why?')
  const asked = () => gateway.requests.at(-1)?.body
  expect(asked()).toMatchObject({ reasoning: { effort: 'high' }, temperature: 0.7, max_tokens: 1_500 })
  expect(asked()?.messages[0]?.content).toContain('\n> Rhyme.')

  await untilAnswered(page)
  await page.reload()
  await expect(button(page)).toHaveAccessibleName('Answer settings: Changed')
  await button(page).click()
  await expect(instructions(page)).toHaveValue('Rhyme.')
  await radio(page, 'Off').check()
  // The question does not wait for the pause in which changes are stored.
  await page.keyboard.press('Escape')
  await ask(page, 'Still?')
  await expect(answers(page).nth(1)).toContainText('You said: Still?')
  expect(asked()).toMatchObject({ reasoning: { enabled: false }, temperature: 0.7, max_tokens: 300 })
})

test.describe('somebody signed in', () => {
  test.use({ signedIn: true })

  test(
    'has other settings in each chat, in the cloud too, and sees them in another tab; another model takes less',
    deep,
    async ({ page, context, gateway }) => {
      await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
      await page.getByRole('menuitem', { name: 'In the cloud' }).click()
      await button(page).click()
      await radio(page, 'Low').check()
      await page.keyboard.press('Escape')
      await ask(page, 'Where are you?')
      await expect(answers(page).first()).toContainText('You said: Where')
      const asked = () => gateway.requests.at(-1)?.body
      expect(asked()?.reasoning).toEqual({ effort: 'low' })
      await untilAnswered(page)

      const other = await context.newPage()
      await other.goto(page.url())
      await expect(button(other)).toHaveAccessibleName('Answer settings: Changed')
      await button(page).click()
      await instructions(page).fill('Rhyme in the cloud.')
      await page.keyboard.press('Escape')
      await button(other).click()
      await expect(instructions(other)).toHaveValue('Rhyme in the cloud.')
      await panel(other).getByRole('button', { name: 'Reset all' }).click()
      await other.keyboard.press('Escape')
      await expect(button(page)).toHaveAccessibleName('Answer settings: As usual')
      await other.close()

      await button(page).click()
      await instructions(page).fill('Rhyme at last.')
      await slider(page).fill('1.5')
      // In the pause after which a change is stored.
      await page.reload()
      await ask(page, 'And now?')
      await expect(answers(page).nth(1)).toContainText('You said: And now?')
      expect(asked()?.messages[0]?.content).toContain('\n> Rhyme at last.')
      expect([asked()?.temperature, asked()?.reasoning]).toEqual([1.5, undefined])

      await page.getByRole('button', { name: /^Model: / }).click()
      await page.getByRole('combobox').fill('Fixed')
      await page.keyboard.press('Enter')
      await button(page).click()
      await expect(panel(page)).toContainText('Fixed does not let you choose how long it thinks.')
      await expect(panel(page)).toContainText('Fixed takes no temperature.')
      await page.keyboard.press('Escape')
      await ask(page, 'Fixed?')
      await expect(answers(page).nth(2)).toContainText('You said: Fixed?')
      expect(Object.keys(asked() ?? {}).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'stream'])

      await untilAnswered(page)
      await newChat(page)
      await expect(button(page)).toHaveAccessibleName('Answer settings: As usual')
    },
  )
})

test('the panel opens beside its button, from right to left too', async ({ page, server }) => {
  for (const [language, name] of [
    ['en-US', 'Answer settings'],
    ['ar', 'إعدادات الإجابات'],
  ] as const) {
    await page.goto(`${server.url}/app?lang=${language}`)
    const opener = page.getByRole('button', { name })
    // It stands before the button, and moves it when it comes.
    await page.getByRole('button', { name: /^(?:Model|النموذج): / }).waitFor()
    await opener.click()
    const box = page.locator('dialog').filter({ has: page.getByRole('slider') })
    const startOf = ({ x, width }: { x: number; width: number }) => (language === 'ar' ? x + width : x)
    // Once the fonts are there: they set how wide what stands before the button is.
    await expect
      .poll(async () => {
        const [panelBox, openerBox] = [await box.boundingBox(), await opener.boundingBox()]
        return panelBox && openerBox ? Math.abs(startOf(panelBox) - startOf(openerBox)) : undefined
      }, language)
      .toBeLessThan(2)
    await expect
      .poll(async () => {
        const panelBox = await box.boundingBox()
        return panelBox ? Math.floor(panelBox.y + panelBox.height) : undefined
      }, language)
      .toBeLessThanOrEqual(900)
    await page.keyboard.press('Escape')
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('they are a sheet that one row of the chat’s settings opens, and every control can be touched', async ({
    page,
  }) => {
    const settings = page.getByRole('button', { name: 'Chat settings' })
    await settings.tap()
    await button(page).tap()
    await expect(panel(page)).toBeVisible()
    await radio(page, 'Medium').first().check()
    await instructions(page).fill('Rhyme on the go.')
    await expectNothing(page, 'the settings of a chat on a phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const small = await panel(page).evaluate((dialog) =>
      [...dialog.querySelectorAll('button, input, textarea')]
        .map((control) => ({
          name: control.getAttribute('type') ?? control.tagName,
          box: control.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 0 && box.height < 44)
        .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
    )
    expect(small).toEqual([])
    await panel(page).getByRole('button', { name: 'Close' }).tap()
    await expect(button(page)).toBeFocused()
    await expect(button(page)).toHaveAccessibleName('Answer settings: Changed')
    await page.keyboard.press('Escape')
    await expect(settings).toBeFocused()
  })
})
