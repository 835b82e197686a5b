import { xlsx } from '../packages/reader/src/testing/office-files'
import { pdfInShiftJis } from '../packages/reader/src/testing/pdf-bytes'
import { deep } from './deep'
import { answers, ask, composer, expect, networkNoise, newChat, test, untilAnswered } from './journey'
import { expectNothing } from './nothing-serious'
import {
  addByKeyboard,
  addDialog,
  addFiles,
  askedOf,
  chip,
  citing,
  handbook,
  manageDialog,
  numberOf,
  panel,
  sentFiles,
  sourcesBar,
  text,
} from './source-steps'

// An anonymous person adds no files.
test.use({ signedIn: true })

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const pageCount = 300
const factPage = 97
const fact = 'The notice period of the greenhouse is ninety-one days.'

test('a PDF in a script of its own is read and shown with what the app brings for it [ST-128, ST-130]', async ({
  page,
  gateway,
}) => {
  const file = Buffer.from(pdfInShiftJis('93FA967B8CEA'))
  await addFiles(page, { name: 'japanese.pdf', mimeType: 'application/pdf', buffer: file })
  gateway.next({ text: 'It says 日本語 [1].' })
  await ask(page, 'What does it say?')
  await expect(answers(page).first()).toContainText('It says')
  expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content).toContain('日本語')
  await chip(answers(page).first(), 1).click()
  const canvas = panel(page, 'japanese.pdf').locator('canvas')
  const isDrawn = (element: HTMLElement | SVGElement): boolean => {
    if (!(element instanceof HTMLCanvasElement) || element.width === 0) return false
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] }
    return data.some((value, index) => index % 4 === 0 && value < 128)
  }
  await expect.poll(() => canvas.evaluate(isDrawn)).toBe(true)
})

test.describe('with the worker that keeps the app on the device', () => {
  test.use({ serviceWorkers: 'allow', allowedNoise: networkNoise })

  test('a long PDF is read on the device, asked about, cited, and opened at the passage, by keyboard, after a reload and without a network [ST-085, ST-128, ST-129]', async ({
    page,
    gateway,
    server,
    context,
  }) => {
    const question = 'What is the notice period of the greenhouse?'
    await addByKeyboard(page, handbook(pageCount, factPage, fact))
    // At once: the question waits until the file is read.
    gateway.next(citing((number) => `It is ninety-one days [${number(fact)}], not a year [998].`))
    await composer(page).fill(question)
    await page.keyboard.press('Enter')
    const answer = answers(page).first()
    await expect(answer).toContainText('not a year [998].', { timeout: 30_000 })
    await untilAnswered(page)
    await expect(sentFiles(page)).toHaveText(/handbook\.pdf\s*300 pages/)
    expect(askedOf(gateway)).toContain(fact)
    expect(askedOf(gateway)).toContain(question)
    const n = numberOf(askedOf(gateway), fact)
    await expect(answer.getByText(/^Read: \d+ of \d+ passages of handbook\.pdf$/)).toBeVisible()
    await expect(answer.getByRole('button', { name: /^Source \d+$/ })).toHaveCount(1)

    await chip(answer, n).focus()
    await page.keyboard.press('Enter')
    const opened = panel(page, 'handbook.pdf')
    await expect(opened.getByText(`Page ${factPage} of ${pageCount}`)).toBeVisible()
    await expect(opened.locator('canvas')).toBeVisible()
    await expect(opened.locator('mark').first()).toBeVisible()
    expect((await opened.locator('mark').allTextContents()).join(' ')).toContain('ninety-one days')
    await expectNothing(page, 'a source beside the chat')
    await page.keyboard.press('Escape')
    await expect(opened).toBeHidden()
    await expect(chip(answer, n)).toBeFocused()

    await page.evaluate(() => navigator.serviceWorker.ready)
    await context.setOffline(true)
    await page.reload()
    await expect(answer.getByText(/passages of handbook\.pdf$/)).toBeVisible()
    await chip(answer, n).click()
    await expect(opened).toContainText('ninety-one days')
    await context.setOffline(false)
    // Nothing of the file is in what the server has written down.
    expect(server.output).not.toMatch(/handbook|ninety-one|greenhouse/)
  })
})

test(
  'three files at once on a phone: what is switched off goes along no more, a removed one leaves its passage [ST-037, ST-125]',
  deep,
  async ({ page, gateway }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Add sources' }).click()
    const dialog = addDialog(page)
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Select' }).click()
    const rent = text('lease.txt', 'The rent is 900 euro.')
    await (await choosing).setFiles([
      rent,
      { name: 'costs.xlsx', mimeType: sheet, buffer: Buffer.from(xlsx()) },
      text('dogs.txt', 'Dogs are not allowed.'),
    ])
    await expect(dialog.getByText(/^Processed/)).toHaveCount(3)
    await page.keyboard.press('Escape')
    await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(3)
    expect((await sourcesBar(page).boundingBox())?.height).toBeLessThanOrEqual(251)

    // A question of files alone.
    gateway.next({ text: 'Three files about a flat.' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(answers(page).first()).toContainText('Three files')
    await expect(sentFiles(page).getByRole('listitem')).toHaveText([
      /^lease\.txt/,
      /^costs\.xlsx\s*1 sheet/,
      /^dogs\.txt/,
    ])
    for (const said of ['900 euro', 'ontem', 'Dogs']) expect(askedOf(gateway)).toContain(said)

    await sourcesBar(page).getByRole('button', { name: 'Manage' }).click()
    const manage = manageDialog(page)
    await manage.getByRole('switch', { name: 'Use dogs.txt' }).click()
    await manage.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Jobs updated successfully!')).toBeVisible()
    await page.keyboard.press('Escape')
    gateway.next(citing((number) => `It is 900 euro [${number('The rent is')}].`))
    await ask(page, 'What is the rent?')
    const answer = answers(page).last()
    await expect(answer.getByText('Read: all of lease.txt · all of costs.xlsx')).toBeVisible()
    expect(askedOf(gateway)).not.toContain('Dogs')
    const n = numberOf(askedOf(gateway), 'The rent is')
    await chip(answer, n).click()
    const opened = panel(page, 'lease.txt')
    await expect(opened.locator('mark')).toContainText('900 euro')
    await expectNothing(page, 'a source on a phone')
    await opened.getByRole('button', { name: 'Close the source' }).click()

    await sourcesBar(page).getByRole('button', { name: 'Manage' }).click()
    await manage.getByRole('button', { name: 'Remove lease.txt' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ok' }).click()
    await expect(manage.getByText('lease.txt')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await chip(answer, n).click()
    await expect(opened).toContainText('This file was removed. The passage is kept.')
    await expect(opened).toContainText('The rent is 900 euro.')
  },
)

test(
  'a chat of its own begins with the files of its draft, and the draft of the next one has none',
  deep,
  async ({ page, gateway }) => {
    gateway.next({ text: 'Seen.' })
    await addFiles(page, text('lease.txt', 'The rent is 900 euro.'))
    await ask(page, 'Seen?')
    await expect(answers(page).first()).toContainText('Seen.')
    await newChat(page)
    await expect(sourcesBar(page)).toHaveCount(0)
  },
)
