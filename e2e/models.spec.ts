import type { Locator, Page } from '@playwright/test'
import { manyModels } from '../apps/web/src/testing/many-models'
import { deep } from './deep'
import { answers, ask, composer, expect, test, untilAnswered } from './journey'
import { expectNothingSerious } from './nothing-serious'

/** The gateway lists 400 models. */
// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.use({
  models: { data: manyModels(400).map(({ contextTokens, ...model }) => ({ ...model, context_length: contextTokens })) },
})

const modelButton = (page: Page) => page.getByRole('button', { name: /^Model: / })
const picker = (page: Page) => page.getByRole('dialog', { name: 'Choose a model' })
const rows = (dialog: Locator) => dialog.getByRole('row').filter({ has: dialog.page().getByRole('gridcell') })

test.describe('somebody signed in', () => {
  test.use({ signedIn: true })

  test('chooses one of 400 models by keyboard, which answers then, also after a reload [ST-036, ST-078, ST-119, ST-120]', async ({
    page,
    gateway,
  }) => {
    await expect(modelButton(page)).toHaveAccessibleName('Model: Llama 3.1 8B Instruct')
    await modelButton(page).focus()
    await page.keyboard.press('Enter')
    const dialog = picker(page)
    await expect(dialog.getByRole('combobox', { name: 'Search 175+ language models' })).toBeFocused()
    // Only what is seen is in the page.
    await expect(rows(dialog).first()).toBeVisible()
    expect(await dialog.getByRole('row').count()).toBeLessThan(40)
    await expectNothingSerious(page, 'model picker')
    await page.keyboard.press('End')
    await expect(dialog.locator('[data-active]')).toBeInViewport()
    await expect(dialog.locator('[data-active]')).toContainText('Yi 389')
    await page.keyboard.type('claude 013')
    await expect(rows(dialog)).toHaveCount(1)
    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByRole('region', { name: 'Details of Claude 013' })).toContainText('$0.14 per 1M tokens')
    await expect(dialog.getByRole('button', { name: 'Select model' })).toBeFocused()
    await expectNothingSerious(page, 'model details')
    await page.keyboard.press('Escape')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(modelButton(page)).toBeFocused()
    await expect(modelButton(page)).toHaveAccessibleName('Model: Claude 013')

    await ask(page, 'Who are you?')
    await expect(answers(page).first()).toContainText('You said: Who are you?')
    expect(gateway.requests.map(({ body }) => body.model)).toEqual(['claude/model-013'])

    await untilAnswered(page)
    await page.reload()
    await expect(modelButton(page)).toHaveAccessibleName('Model: Claude 013')
    await ask(page, 'Still?')
    await expect(answers(page).nth(1)).toContainText('You said: Still?')
    expect(gateway.requests.at(-1)?.body.model).toBe('claude/model-013')

    // Back to the default one.
    await modelButton(page).click()
    await dialog.getByRole('combobox').fill('llama 3.1 8b')
    await page.keyboard.press('Enter')
    await ask(page, 'And now?')
    await expect(answers(page).nth(2)).toContainText('You said: And now?')
    expect(gateway.requests.at(-1)?.body.model).toBe('meta-llama/llama-3.1-8b-instruct')
    await modelButton(page).click()
    await expect(dialog.getByRole('row').nth(0)).toHaveText('In use')
    await expect(dialog.getByRole('row').nth(2)).toHaveText('Recently used')
    await expect(dialog.getByRole('row').nth(3)).toContainText('Claude 013')
  })

  test('on a narrow screen finds the choices in a sheet of settings, the details below the list [ST-038]', async ({
    page,
    gateway,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(modelButton(page)).toBeHidden()
    await page.getByRole('button', { name: 'Chat settings' }).click()
    const sheet = page.getByRole('dialog', { name: 'Chat settings' })
    await expect(sheet.getByRole('button', { name: 'Where the chat is kept: On this device' })).toBeVisible()
    await modelButton(page).click()
    const dialog = picker(page)
    await dialog.getByRole('tab', { name: 'Code' }).click()
    await dialog.getByRole('button', { name: 'Details of GPT 184' }).click()
    const details = dialog.getByRole('region', { name: 'Details of GPT 184' })
    await expect(details).toBeInViewport()
    const [listBox, detailsBox] = [await dialog.getByRole('grid').boundingBox(), await details.boundingBox()]
    expect((listBox?.y ?? 0) + (listBox?.height ?? 0)).toBeLessThanOrEqual((detailsBox?.y ?? 0) + 1)
    await expectNothingSerious(page, 'model details, narrow')
    await details.getByRole('button', { name: 'Select model' }).click()
    await expect(dialog).toBeHidden()
    await expect(modelButton(page)).toHaveAccessibleName('Model: GPT 184')
    await sheet.getByRole('button', { name: 'Close' }).click()
    await ask(page, 'Small?')
    await expect(answers(page).first()).toContainText('You said: Small?')
    expect(gateway.requests.at(-1)?.body.model).toBe('gpt/model-184-coder')
  })
})

test('an anonymous person is asked to sign in and keeps what is written [ST-120]', deep, async ({ page, gateway }) => {
  await composer(page).fill('Not sent yet')
  await modelButton(page).click()
  const panel = page.getByRole('dialog', { name: 'Welcome back' })
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(composer(page)).toHaveValue('Not sent yet')
  await composer(page).press('Enter')
  await expect(answers(page).first()).toContainText('You said: Not sent yet')
  expect(gateway.requests.map(({ body }) => body.model)).toEqual(['meta-llama/llama-3.1-8b-instruct'])
})
