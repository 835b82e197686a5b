import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { answers, ask, expect, test as journey, journeyDomain, networkNoise, untilAnswered } from './journey'
import { addDialog, addFiles, sourcesBar, text } from './source-steps'
import { endlessFact, rentFact, startWeb, type WebStandIns } from './web-stand-ins'

const test = journey.extend<{ web: WebStandIns; temporary: string }>({
  web: async ({ standIns }, use) => use(await standIns.of(startWeb)),
  temporary: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-temporary-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  environment: async ({ web, temporary }, use) => use({ FETCH_ALLOWED_HOSTS: web.site.host, TMPDIR: temporary }),
})

test.use({ signedIn: true, storage: 'embedded', ownServer: true, allowedNoise: networkNoise })

const bytesIn = (folder: string): { path: string; bytes: Buffer }[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }))

/** Pieces of the sources as they went out with questions, compressed. */
function sentSources(page: Page): string[] {
  const pieces: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const sent = /"compressedDocuments":"([^"]+)"/.exec(String(payload))?.[1] ?? ''
      for (let at = 0; at + 40 <= sent.length; at += 40) pieces.push(sent.slice(at, at + 40))
    }),
  )
  return pieces
}

test('nothing of the sources of a chat on the device lies on the server, also when it dies while it answers from them or reads a website', async ({
  page,
  gateway,
  server,
  web,
  temporary,
}) => {
  const [name, content] = ['MARKER-NAME-5d1e', 'MARKER-CONTENT-77a0: the rent of the house is 900 euro.']
  const sent = sentSources(page)
  // The socket of before says nothing to whoever listens from now on.
  await page.reload()
  const answerAnd = async (question: string, act: () => Promise<void>): Promise<void> => {
    const asked = gateway.requests.length
    gateway.next({ text: 'It begins and goes on and ends.', holdAfter: 6 })
    await ask(page, question)
    await expect.poll(() => gateway.requests.length).toBe(asked + 1)
    await expect(answers(page).last()).toContainText('It begins')
    expect(JSON.stringify(gateway.requests.at(asked)?.body)).toContain(content)
    await act()
    gateway.release()
  }
  const start = async (): Promise<void> => {
    await server.launch()
    await untilAnswered(page)
  }
  const expectNothingLeft = (when: string): void => {
    expect(sent.length, 'pieces of sources that went out').toBeGreaterThan(3)
    const secrets = [name, content, rentFact, endlessFact, web.site.host, ...sent]
    const places = [...bytesIn(server.dataDir), ...bytesIn(temporary)]
    // What does lie there is found in this way: the address of whoever has the account.
    expect(places.some(({ bytes }) => bytes.includes(journeyDomain()))).toBe(true)
    places.push({ path: 'the log', bytes: Buffer.from(server.output) })
    const finds = places.flatMap(({ path, bytes }) =>
      secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${path} holds ${secret}`),
    )
    expect(finds, when).toEqual([])
  }

  await addFiles(page, text(`${name}.txt`, content))
  await page.getByRole('button', { name: 'Add sources' }).click()
  await addDialog(page).getByRole('textbox').fill(`${web.site.url}/rents`)
  await page.keyboard.press('Enter')
  await expect(addDialog(page).getByRole('listitem').filter({ hasText: 'Rents' })).toContainText('Processed')
  await page.keyboard.press('Escape')
  await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(2)
  await answerAnd('What is the rent?', () => server.stop('SIGKILL'))
  expectNothingLeft('killed while it answered')

  await start()
  await page.getByRole('button', { name: 'Add sources' }).click()
  await addDialog(page).getByRole('textbox').fill(`${web.site.url}/endless`)
  const fetched = page.waitForRequest('**/api/sources/fetch')
  await page.keyboard.press('Enter')
  await fetched
  await expect.poll(() => web.endlessReads()).toBeGreaterThan(0)
  await server.stop('SIGKILL')
  expectNothingLeft('killed while it read a website')

  await start()
  await page.keyboard.press('Escape')
  await answerAnd('And what is the rent now?', async () => undefined)
  await untilAnswered(page)
  await page.goto('about:blank')
  await server.stop()
  expectNothingLeft('stopped')
  expect(server.output.length).toBeGreaterThan(200)
})
