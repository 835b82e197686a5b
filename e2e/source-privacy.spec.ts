import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { answers, ask, expect, test as journey, journeyDomain, networkNoise, untilAnswered } from './journey'
import type { ParleyServer } from './parley-server'
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

const [name, content] = ['MARKER-NAME-5d1e', 'MARKER-CONTENT-77a0: the rent of the house is 900 euro.']

type Places = { server: ParleyServer; web: WebStandIns; temporary: string }

/** `sent`: pieces of what went out to the server, of which there must be some. */
function expectNothingLeft({ server, web, temporary }: Places, sent: readonly string[], when: string): void {
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

/** Asks a question that is answered from the source, and acts while the answer is being written. */
async function askAnd(page: Page, gateway: GatewayStandIn, question: string, act = async () => {}): Promise<void> {
  const asked = gateway.requests.length
  gateway.next({ text: 'It begins and goes on and ends.', holdAfter: 6 })
  await ask(page, question)
  await expect.poll(() => gateway.requests.length).toBe(asked + 1)
  await expect(answers(page).last()).toContainText('It begins')
  expect(JSON.stringify(gateway.requests.at(asked)?.body)).toContain(content)
  await act()
  gateway.release()
}

async function addWebsite(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Add sources' }).click()
  await addDialog(page).getByRole('textbox').fill(url)
  await page.keyboard.press('Enter')
}

test.describe('nothing of the sources of a chat on the device lies on the server', () => {
  test('when it dies while it answers from them, and when it has answered and stops', async ({
    page,
    gateway,
    server,
    web,
    temporary,
  }) => {
    const sent = sentSources(page)
    // The socket of before says nothing to whoever listens from now on.
    await page.reload()
    await addFiles(page, text(`${name}.txt`, content))
    await addWebsite(page, `${web.site.url}/rents`)
    await expect(addDialog(page).getByRole('listitem').filter({ hasText: 'Rents' })).toContainText('Processed')
    await page.keyboard.press('Escape')
    await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(2)
    await askAnd(page, gateway, 'What is the rent?', () => server.stop('SIGKILL'))
    expectNothingLeft({ server, web, temporary }, sent, 'killed while it answered')

    await server.launch()
    await untilAnswered(page)
    await askAnd(page, gateway, 'And what is the rent now?')
    await untilAnswered(page)
    await page.goto('about:blank')
    await server.stop()
    expectNothingLeft({ server, web, temporary }, sent, 'stopped')
    expect(server.output.length).toBeGreaterThan(200)
  })

  test('when it dies while it reads a website', async ({ page, gateway, server, web, temporary }) => {
    const sent = sentSources(page)
    await page.reload()
    await addFiles(page, text(`${name}.txt`, content))
    await askAnd(page, gateway, 'What is the rent?')
    await untilAnswered(page)
    const before = web.endlessReads()
    const fetched = page.waitForRequest('**/api/sources/fetch')
    await addWebsite(page, `${web.site.url}/endless`)
    await fetched
    await expect.poll(() => web.endlessReads()).toBeGreaterThan(before)
    await server.stop('SIGKILL')
    expectNothingLeft({ server, web, temporary }, sent, 'killed while it read a website')
  })
})
