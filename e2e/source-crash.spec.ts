import type { Page } from '@playwright/test'
import { deep } from './deep'
import { answers, ask, expect } from './people'
import { comeBack, test } from './source-crash-steps'
import { addFiles, chooseCloud, handbook, sourcesBar } from './source-steps'

test.describe.configure({ timeout: 120_000 })

const pages = 300
const fact = 'The notice period of the greenhouse is ninety-one days.'

test(
  'a file that is read on the device when the browser dies is read to its end by the next one, once, and answers are given from it',
  deep,
  async ({ server, gateway, killable }) => {
    const row = (page: Page, name: string) => sourcesBar(page).getByRole('listitem').filter({ hasText: name })
    const isRead = new RegExp(`Processed, ${pages} pages`)
    let page = await comeBack(killable, `${server.url}/app`)
    for (const [name, moment] of [
      ['early.pdf', /./],
      ['half.pdf', /Reading page (?:[5-9]\d|1\d\d) of 300/],
      ['read.pdf', isRead],
    ] as const) {
      // No two are the same file.
      await addFiles(page, { ...handbook(pages, 97, `${fact} (${name})`), name })
      await expect(row(page, name)).toContainText(moment, { timeout: 30_000 })
      await killable.kill()
      page = await comeBack(killable, `${server.url}/app`)
      await expect(row(page, name)).toContainText(isRead, { timeout: 60_000 })
      await expect(row(page, name)).toHaveCount(1)
    }
    await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(3)
    gateway.next({ text: 'Ninety-one days.' })
    await ask(page, 'What is the notice period of the greenhouse?')
    await expect(answers(page).first()).toContainText('Ninety-one days.')
    expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content).toContain(fact)
  },
)

test(
  'a file whose upload dies with the browser goes on where it stopped when it is added again',
  deep,
  async ({ server, gateway, killable }) => {
    const pieces = /\/api\/embeddings\/uploads\/[^/?]+\?offset=/
    const file = handbook(pages, 97, fact)
    let page = await comeBack(killable, `${server.url}/app`)
    await chooseCloud(page)
    gateway.next({ text: 'Hello.' })
    await ask(page, 'Are you there?')
    await expect(answers(page).first()).toContainText('Hello.')
    const url = page.url()
    await page.route(pieces, (route) => (/offset=0$/.test(route.request().url()) ? route.continue() : undefined))
    await addFiles(page, file)
    await expect(sourcesBar(page).getByRole('listitem')).toContainText(/Sending file\.\.\. [1-9]\d?%/)
    await killable.kill()

    page = await comeBack(killable, url)
    const offsets: number[] = []
    page.on('request', (request) => {
      if (pieces.test(request.url())) offsets.push(Number(new URL(request.url()).searchParams.get('offset')))
    })
    await addFiles(page, file)
    await expect(sourcesBar(page).getByRole('listitem')).toContainText(`Processed, ${pages} pages`, { timeout: 60_000 })
    await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(1)
    expect(offsets[0]).toBeGreaterThan(0)
  },
)
