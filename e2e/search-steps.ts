import type { Page } from '@playwright/test'
import { ownId } from './journey'
import type { ParleyServer } from './parley-server'
import { ana, call, chatRows, expect, otherSession } from './people'

export const sidebar = (page: Page) => page.getByRole('navigation')
export const field = (page: Page) => page.getByRole('searchbox', { name: 'Search chats' })
export const log = (page: Page) => page.getByRole('log')

export const searchWorkers = (page: Page): number =>
  page.workers().filter((worker) => worker.url().includes('search-worker')).length

export type Texts = Record<number, string>

/**
 * A cloud chat of so many messages, a minute apart; those in `texts` are about something. It has the id `ownId(name)`,
 * its messages that and their number.
 */
export async function aCloudChat(
  server: ParleyServer,
  { name, channelName, count, texts = {} }: { name: string; channelName: string; count: number; texts?: Texts },
): Promise<void> {
  const id = ownId(name)
  const { token } = await otherSession(server, ana)
  expect((await call(server, 'POST', '/api/channel', { token, body: { id, channelName } })).status).toBe(201)
  const messages = Array.from({ length: count }, (_, n) => ({
    mId: `${id}-${n}`,
    channelId: id,
    chat_request: texts[n] ?? `Question ${n}`,
    chat_response: { role: 'assistant', content: `Answer ${n}.\n\n${'And a sentence more. '.repeat(n % 9)}` },
    datetime: new Date(Date.UTC(2026, 2, 1, 12) + n * 60_000).toISOString(),
    status: 'completed',
  }))
  for (let from = 0; from < count; from += 200) {
    const body = { messages: messages.slice(from, from + 200) }
    expect((await call(server, 'PUT', `/api/chat/${id}/messages`, { token, body })).status).toBe(200)
  }
}

export async function moveToDevice(page: Page, name: string): Promise<void> {
  await chatRows(page).filter({ hasText: name }).getByRole('link').click()
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name: 'Move to this device' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(chatRows(page).filter({ hasText: name }).getByText('local')).toBeVisible({ timeout: 30_000 })
}

/** How many messages were found. The list of chats beside it says when it is loading. */
export const searchStatus = (page: Page) => sidebar(page).locator('[role=status]:not([aria-label])')

/** With the arrow key alone, down to the row with this text. */
export async function walkTo(page: Page, text: RegExp): Promise<void> {
  let reached = ''
  for (let steps = 0; steps < 200 && !text.test(reached); steps++) {
    await page.keyboard.press('ArrowDown')
    // The focus moves with the next frame.
    reached = await page.evaluate(
      () =>
        new Promise<string>((resolve) =>
          requestAnimationFrame(() => resolve(document.activeElement?.textContent ?? '')),
        ),
    )
  }
  expect(reached).toMatch(text)
}

/** How far the middle of a message is from the middle of the list, in pixels. */
export async function distanceFromMiddle(page: Page, text: string): Promise<number> {
  const [box, frame] = await Promise.all([
    log(page).locator('article').filter({ hasText: text }).boundingBox(),
    log(page).boundingBox(),
  ])
  return box && frame ? Math.abs(box.y + box.height / 2 - (frame.y + frame.height / 2)) : Number.POSITIVE_INFINITY
}
