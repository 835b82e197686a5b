import type { Locator, Page } from '@playwright/test'
import type { GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { deep } from './deep'
import { answers, ask, composer, expect, networkNoise, test, untilAnswered } from './journey'
import { expectNothing } from './nothing-serious'
import { aScan } from './scan-steps'
import { addByKeyboard, askedOf, chip, chooseCloud, citing, numberOf, panel, sourcesBar } from './source-steps'

// An anonymous person adds no files.
test.use({ signedIn: true })

test('a photo of a text is read on the device: engine and languages come from the app itself, and only then [ST-129]', async ({
  page,
}) => {
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1_000, 200)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 1_000, 200)
    context.fillStyle = '#000'
    context.font = '36px sans-serif'
    context.fillText('Contrato de locação nº 4711', 30, 100)
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
    return Array.from(bytes)
  })
  const fetched: string[] = []
  page.context().on('request', (request) => {
    if (/\.(?:wasm|gz)$/.test(request.url())) fetched.push(new URL(request.url()).pathname.split('/').at(-1) ?? '')
  })
  await page.getByRole('button', { name: 'Add sources' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add sources' })
  const add = async (file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Select' }).click()
    await (await choosing).setFiles(file)
  }
  const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await add({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Call the plumber.') })
  await expect(row('notes.txt')).toContainText('Processed', { timeout: 30_000 })
  expect(fetched).toEqual([])
  await add({ name: 'contract.png', mimeType: 'image/png', buffer: Buffer.from(png) })
  await expect(row('contract.png')).toContainText('read from a picture', { timeout: 60_000 })
  await expect(row('contract.png')).toContainText('Processed')
  expect(
    fetched
      .filter((name) => name.endsWith('.gz'))
      .map((name) => name.slice(0, 3))
      .sort(),
  ).toEqual(['eng', 'por', 'spa'])
})

const amount = '1.234,56'
const question = 'Qual é o valor do aluguel'
const pages = [
  [
    'CONTRATO DE LOCAÇÃO nº 4711',
    'Entre Maria Oliveira, proprietária, e João Pereira, inquilino,',
    'é celebrado o presente contrato de locação da casa',
    'situada na Rua das Flores, 12, em Lisboa.',
  ],
  [
    'DO ALUGUEL E DA CAUÇÃO',
    `O valor do aluguel é de R$ ${amount} por mês`,
    'e vence no dia 5 de cada mês.',
    'A caução corresponde a três meses de aluguel.',
  ],
  ['DAS DISPOSIÇÕES FINAIS', 'O inquilino rega as plantas da varanda.', 'Lisboa, 12 de março de 2024.'],
]

/** The states that rows of sources show from now on, however short. */
async function watchStates(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const states = new Set<string>()
    const look = (): void => {
      for (const row of document.querySelectorAll('li[data-status]'))
        states.add(`${row.textContent}${row.querySelector('progress') ? ' with its progress' : ''}`)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    return states
  })
  return () => seen.evaluate((states) => [...states])
}

/** Asks about what stands on the second page, and answers the answer that cites it and its number. */
async function askAndCite(page: Page, gateway: GatewayStandIn): Promise<{ answer: Locator; n: number }> {
  const before = await answers(page).count()
  gateway.next(citing((n) => `O aluguel é de R$ ${amount} [${n(amount)}].`))
  await composer(page).fill(question)
  await page.keyboard.press('Enter')
  const answer = answers(page).nth(before)
  // Once the scan is read.
  await expect(answer).toContainText('O aluguel é de', { timeout: 60_000 })
  await untilAnswered(page)
  await expect(answer.getByText('Read: all 3 pages of contrato.pdf')).toBeVisible()
  return { answer, n: numberOf(askedOf(gateway), amount) }
}

/** Opens the page that an answer cites, as it looks, and goes back by keyboard. */
async function seeScannedPage(page: Page, { answer, n }: { answer: Locator; n: number }): Promise<void> {
  await chip(answer, n).focus()
  await page.keyboard.press('Enter')
  const opened = panel(page, 'contrato.pdf')
  await expect(opened.getByText('Page 2 of 3')).toBeVisible()
  await expect(opened.getByText('read from a picture')).toBeVisible()
  // More than paper, which has none: the picture of the page has been drawn. How much depends on the system's fonts.
  await expect.poll(() => opened.locator('canvas').evaluate(inkOf)).toBeGreaterThan(100)
  await expectMarked(opened.getByRole('document'))
  await expectNothing(page, 'a scanned page')
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  await expect(chip(answer, n)).toBeFocused()
}

/** What was cited is marked where it stands in the picture: on the second line, and no higher than that. */
async function expectMarked(paper: Locator): Promise<void> {
  const mark = paper.locator('mark').filter({ hasText: amount })
  await expect(mark).toBeInViewport()
  const [of, box] = [await paper.boundingBox(), await mark.boundingBox()]
  if (!of || !box) throw new Error('nothing is marked')
  const [top, bottom] = [(box.y - of.y) / of.height, (box.y + box.height - of.y) / of.height]
  // Its baseline is 270 of 1,754 pixels from the top (scan-steps.ts).
  expect(top).toBeGreaterThan(0.12)
  expect(top).toBeLessThan(0.154)
  expect(bottom).toBeGreaterThan(0.15)
  expect(bottom).toBeLessThan(0.18)
  expect((box.x - of.x) / of.width).toBeGreaterThan(0.08)
  expect((box.x + box.width - of.x) / of.width).toBeLessThan(0.75)
}

/** Dark pixels. */
function inkOf(canvas: Element): number {
  if (!(canvas instanceof HTMLCanvasElement)) return 0
  const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
  let count = 0
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 100) count++
  return count
}

test.describe('on a phone, with the worker that keeps the app on the device', () => {
  test.use({ serviceWorkers: 'allow', allowedNoise: networkNoise, viewport: { width: 390, height: 844 } })

  test('a scan is read page by page on the device, asked about, cited, and its page opened as it looks, by keyboard, after a reload and without a network [ST-128, ST-129]', async ({
    page,
    gateway,
    server,
    context,
  }) => {
    test.setTimeout(120_000)
    const states = await watchStates(page)
    await addByKeyboard(page, await aScan(page, 'contrato.pdf', pages))
    const row = sourcesBar(page).getByRole('listitem').filter({ hasText: 'contrato.pdf' })
    await expect(row).toContainText('Processed, 3 pages · read from a picture', { timeout: 60_000 })
    expect(await states()).toContainEqual(expect.stringMatching(/Reading page [123] of 3 with its progress$/))
    const cited = await askAndCite(page, gateway)
    await seeScannedPage(page, cited)

    await page.reload()
    await seeScannedPage(page, cited)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await context.setOffline(true)
    await page.reload()
    await seeScannedPage(page, cited)
    await context.setOffline(false)
    // Nothing of the file is in what the server has written down.
    expect(server.output).not.toMatch(/contrato|aluguel|Oliveira/i)
  })
})

test(
  'a scan is read by the server in a cloud chat, asked about, cited, and its page opened beside the chat and after a reload, by keyboard [ST-128, ST-129]',
  deep,
  async ({ page, gateway }) => {
    test.setTimeout(120_000)
    await chooseCloud(page)
    gateway.next({ text: 'Olá.' })
    await ask(page, 'Está aí?')
    await expect(answers(page).first()).toContainText('Olá.')
    await untilAnswered(page)
    const fetched: string[] = []
    page.on('request', (request) => void fetched.push(request.url()))
    const states = await watchStates(page)
    await addByKeyboard(page, await aScan(page, 'contrato.pdf', pages))
    const row = sourcesBar(page).getByRole('listitem').filter({ hasText: 'contrato.pdf' })
    await expect(row).toContainText('Processed, 3 pages · read from a picture', { timeout: 60_000 })
    expect(await states()).toContainEqual(expect.stringMatching(/Reading page [123] of 3 with its progress$/))
    // No engine of this browser has read it.
    expect(fetched.filter((url) => /traineddata|tesseract/.test(url))).toEqual([])
    const cited = await askAndCite(page, gateway)
    await seeScannedPage(page, cited)
    await page.reload()
    await seeScannedPage(page, cited)
  },
)
