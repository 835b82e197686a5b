import { chromium, type Page } from '@playwright/test'
import { ana, signIn } from '../../e2e/people'
import { findChromium } from '../../scripts/chromium.mjs'

const rounds = 7

export type Jumps = {
  /** The first one after the page was loaded: it opens the channel as well. */
  opening: number[]
  /** To the channel's newest message. */
  near: number[]
  /** To the beginning of the channel. */
  far: number[]
}

/**
 * In the built app: milliseconds from the click on what was found to the frame in which the message is on the screen.
 */
export async function measureJumps(url: string, word: string): Promise<Jumps> {
  const chromiumPath = findChromium()
  const browser = await chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    // The runner's compiler names functions through a helper that a page does not have.
    await context.addInitScript('globalThis.__name = (each) => each')
    const page = await context.newPage()
    await page.goto(`${url}/app`)
    await signIn(page, ana)
    const jumps: Jumps = { opening: [], near: [], far: [] }
    for (let round = 0; round < rounds; round++) {
      await search(page, word)
      // Newest first: the first is the channel's last message, the last one stands at its beginning.
      jumps.opening.push(await timeToMessage(page, 1, word))
      jumps.near.push(await timeToMessage(page, 0, word))
      jumps.far.push(await timeToMessage(page, 2, word))
      await page.goto('about:blank')
      await page.goto(`${url}/app`)
    }
    return jumps
  } finally {
    await browser.close()
  }
}

async function search(page: Page, word: string): Promise<void> {
  await page.getByRole('button', { name: 'Search chats' }).click()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill(word)
  await page.getByRole('navigation').locator('mark').nth(2).waitFor({ timeout: 60_000 })
}

function timeToMessage(page: Page, which: number, word: string): Promise<number> {
  return page.evaluate(
    ([place, wanted]) =>
      new Promise<number>((resolve) => {
        const hits = [...document.querySelectorAll<HTMLElement>('nav a')].filter((link) => link.querySelector('mark'))
        const hit = hits[place]
        let start = 0
        const look = (): void => {
          const marked = document.querySelector('article[data-marked]')
          const box = marked?.getBoundingClientRect()
          if (marked?.textContent?.includes(wanted) && box && box.bottom > 0 && box.top < innerHeight)
            resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        // The mark of the jump before must be gone.
        const begin = (): void => {
          if (document.querySelector('article[data-marked]')) return void requestAnimationFrame(begin)
          start = performance.now()
          hit?.click()
          look()
        }
        begin()
      }),
    [which, word] as const,
  )
}
