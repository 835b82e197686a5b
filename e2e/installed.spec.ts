// The app that is on the device: every page without a network, and one build after another.
import type { BrowserContext, Page } from '@playwright/test'
import { pages } from '../packages/contract/src/pages'
import { answers, answerText, ask, composer, expect, networkNoise, test } from './journey'
import { WebBuilds } from './web-builds'

/** The last one stays for the pages that are looked at after. */
const languages = [
  ['pt-BR', 'Pergunte qualquer coisa…'],
  ['es-ES', 'Pregunta lo que quieras…'],
  ['en-US', 'Ask anything…'],
] as const

const builds = new WebBuilds()
test.afterAll(() => builds.remove())
test.use({ allowedNoise: networkNoise })

/** Until the worker has everything and serves this tab. */
const untilInstalled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** As the system does for an app that is installed. */
async function share(page: Page, fields: Record<string, string>, [name, content]: [string, string]): Promise<void> {
  await page.evaluate(
    ({ fields, name, content }) => {
      const form = Object.assign(document.createElement('form'), {
        action: '/share',
        method: 'POST',
        enctype: 'multipart/form-data',
      })
      for (const [key, value] of Object.entries(fields))
        form.append(Object.assign(document.createElement('input'), { name: key, value }))
      const chosen = new DataTransfer()
      chosen.items.add(new File([content], name, { type: 'text/plain' }))
      form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'files', files: chosen.files }))
      document.body.append(form)
      form.submit()
    },
    { fields, name, content },
  )
  await page.waitForURL(/\/app$/)
}

/** Something to read in the page itself, and neither a screen of last resort nor a part that waits for the network. */
async function expectOpen(tab: Page, origin: string, path: string): Promise<void> {
  await tab.goto(`${origin}${path.replace(/\$\w+/, 'a1b2c3d4e5f6a1b2c3d4e5f6')}`)
  await expect(tab.locator('main').first(), path).toContainText(/\p{L}{3}/u)
  await expect(tab.getByRole('alert').filter({ hasText: /went wrong|Initialization Error/ }), path).toHaveCount(0)
  await expect(tab.getByText(/This could not be loaded/), path).toHaveCount(0)
  await expect(tab.locator('main [aria-busy=true]'), path).toHaveCount(0)
}

test.describe('on the device', () => {
  test.use({ serviceWorkers: 'allow', signedIn: true })

  test('every page of the app opens without a network after one visit of the chat, in each language, and says so where it needs one', async ({
    page,
    context,
  }) => {
    await untilInstalled(page)
    await context.setOffline(true)
    for (const [language, placeholder] of languages) {
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
      await page.reload()
      await expect(composer(page)).toHaveAttribute('placeholder', placeholder)
    }
    // What another app shares is taken without a network: it goes to no server.
    await page.goto(new URL('/app', page.url()).href)
    // What is typed into the page that is painted first is a draft once the app is there, not before.
    await expect(page.getByRole('button', { name: /^Where the chat is kept/ })).toBeVisible()
    await composer(page).fill('What is this?')
    await share(page, { title: 'A page', text: 'Worth reading', url: 'https://example.org/a' }, ['notes.md', '# Notes'])
    await expect(composer(page)).toHaveValue(
      'What is this?\n\nA page\n\nWorth reading\n\nhttps://example.org/a\n\nnotes.md\n\n# Notes',
    )
    expect(new URL(page.url()).search).toBe('')
    // Side by side: where something needs the network it is tried again for a while before the page says so.
    const { origin } = new URL(page.url())
    const paths = [...Object.values(pages), '/', '/no-such-page']
    const openAll = async (tab: Page): Promise<void> => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await expectOpen(tab, origin, path)
    }
    await Promise.all([page, await context.newPage(), await context.newPage(), await context.newPage()].map(openAll))
  })
})

const buildOf = (tab: Page) => tab.locator('meta[name="parley-build"]').getAttribute('content')
const offer = (tab: Page) => tab.getByRole('alertdialog').filter({ hasText: 'A new version is ready' })
const reload = (tab: Page) => offer(tab).getByRole('button', { name: 'Reload' }).click()
const keptBuilds = (tab: Page) => tab.evaluate(async () => (await caches.keys()).filter((name) => name !== 'assets'))

async function tabAt(context: BrowserContext, url: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(url)
  return tab
}

/** Puts another build in the place of the tab's, which the tab finds as it does by itself within the hour. */
async function deployNext(tab: Page): Promise<string> {
  const next = builds.deployNext()
  await tab.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
  return next
}

test.describe('one build after another', () => {
  test.use({ serviceWorkers: 'allow', signedIn: true, environment: { WEB_DIR: builds.dir } })

  test('a tab goes on with its build while an answer is written, and lacks no part; a draft stays', async ({
    page: drafting,
    context,
    gateway,
  }) => {
    await untilInstalled(drafting)
    const answering = await tabAt(context, new URL('/app', drafting.url()).href)
    const text = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')
    gateway.next({ text, holdAfter: 60 })
    await ask(answering, 'Write slowly')
    await expect(answers(answering).first()).toContainText('word9')
    await composer(drafting).fill('Half a question')

    const former = await buildOf(drafting)
    const next = await deployNext(drafting)
    await reload(drafting)
    await expect.poll(() => buildOf(drafting)).toBe(next)
    await expect(composer(drafting)).toHaveValue('Half a question')

    // Its build is gone from the server. Its answer goes on, it is not asked to leave it, and what it has not loaded
    // yet is there.
    expect(await buildOf(answering)).toBe(former)
    await expect(offer(answering)).toHaveCount(0)
    await composer(answering).blur()
    await answering.keyboard.press('?')
    await expect(answering.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await answering.keyboard.press('Escape')
    await expect(offer(answering)).toHaveCount(0)
    expect(await keptBuilds(answering)).toHaveLength(2)

    gateway.release()
    await expect(answers(answering).first()).toContainText('word119')
    await reload(answering)
    await expect.poll(() => buildOf(answering)).toBe(next)
    await expect.poll(() => answerText(answering)).toBe(text)
    await expect.poll(() => keptBuilds(answering), { timeout: 20_000 }).toEqual([`build:${next}`])
  })

  test('a tab without a network takes the build that another one has fetched, and keeps its draft', async ({
    page: online,
    context,
  }) => {
    await untilInstalled(online)
    const away = await tabAt(context, new URL('/app', online.url()).href)
    await composer(away).fill('Written on a plane')
    const network = await context.newCDPSession(away)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })

    const next = await deployNext(online)
    await reload(away)
    await expect.poll(() => buildOf(away)).toBe(next)
    await expect(composer(away)).toHaveValue('Written on a plane')
    await reload(online)
    await expect.poll(() => buildOf(online)).toBe(next)
    await expect.poll(() => keptBuilds(online), { timeout: 20_000 }).toEqual([`build:${next}`])
  })
})

/** The app's own: the one of the first screen is there without the app. */
const appComposer = (page: Page) => page.locator('[data-composer]')

test.describe('not on the device', () => {
  test('a page whose files cannot be loaded once comes by itself, and says so where they cannot be loaded again [ST-232]', async ({
    page,
    context,
  }) => {
    // The page before must not take a failure.
    await expect(appComposer(page)).toBeVisible()
    // Of so many loads of the page from now on; each fetches it ahead of its start, and may do so once more for it.
    let failing = 0
    let isFailing = false
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isFailing = failing-- > 0
    })
    await context.route(/\/assets\/app-.*\.js$/, (route) => (isFailing ? route.abort() : route.continue()))
    failing = 1
    await page.reload()
    await expect(appComposer(page)).toBeVisible()
    failing = 1
    await page.reload()
    // It has tried that a moment ago.
    await expect(page.getByRole('alert')).toContainText('Parley could not be loaded.')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(appComposer(page)).toBeVisible()
  })
})
