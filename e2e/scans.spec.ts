import { expect, test } from './journey'

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
