import type { Page } from '@playwright/test'
import type { ParleyServer } from './parley-server'
import { ana, call, chatRows, expect, networkNoise, otherSession, refusalNoise, signIn, signUp, test } from './people'

const channels = 4
const messages = 230

/** Cloud chats as another device would have made them; more than two pages each. */
async function fillCloud(server: ParleyServer, token: string): Promise<void> {
  for (let c = 0; c < channels; c++) {
    const { data } = await (await call(server, 'POST', '/api/channel', { token, body: { channelName: `Chat number ${c}` } })).json()
    for (let from = 0; from < messages; from += 115) {
      const batch = Array.from({ length: 115 }, (_, n) => ({
        mId: `${c}-${from + n}`,
        channelId: data.id,
        chat_request: `Question ${from + n} of ${c} — não, 日本語`,
        chat_response: { role: 'assistant', content: `Answer ${from + n} of ${c}` },
        datetime: new Date(Date.UTC(2026, 0, 1, c, 0, from + n)).toISOString(),
        status: 'completed',
      }))
      expect((await call(server, 'PUT', `/api/chat/${data.id}/messages`, { token, body: { messages: batch } })).status).toBe(200)
    }
  }
}

type Copies = { cloud: Record<string, number>; device: Record<string, number> }

/** How many messages of each chat each home has, by the chat's name in the cloud or its id on the device. */
async function copies(page: Page, server: ParleyServer, token: string, userId: string): Promise<Copies> {
  const cloud: Record<string, number> = {}
  const list = await (await call(server, 'GET', '/api/channel', { token })).json()
  for (const { id } of list.channels) cloud[id] = (await (await call(server, 'GET', `/api/chat/documents/0/1/${id}`, { token })).json()).total
  const device = await page.evaluate(async (name) => {
    const request = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const all = <T>(store: string, index?: string): Promise<T[]> =>
      new Promise((resolve, reject) => {
        const table = db.transaction(store).objectStore(store)
        const got = index === undefined ? table.getAll() : table.index(index).getAll()
        got.onsuccess = () => resolve(got.result)
        got.onerror = () => reject(got.error)
      })
    const counts: Record<string, number> = {}
    for (const { id } of await all<{ id: string }>('channels')) counts[id] = 0
    for (const { channelId } of await all<{ channelId: string }>('messages')) counts[channelId] = (counts[channelId] ?? 0) + 1
    db.close()
    return counts
  }, `parley-${userId}`)
  return { cloud, device }
}

const migrate = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Move to Local Storage' }).getByRole('button', { name: 'Move Now' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
}

test.use({ allowedNoise: new RegExp(`${networkNoise.source}|${refusalNoise.source}`) })

test('a move to this device that is cut off anywhere loses nothing, and the next one ends it [CH-050, CH-051, CH-052, CH-053, CH-059, CH-062]', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  await signUp(server, ana)
  const { token, userId } = await otherSession(server, ana)
  await fillCloud(server, token)
  await signIn(page, ana)
  await expect(chatRows(page)).toHaveCount(channels)
  const ids = Object.keys((await copies(page, server, token, userId)).cloud)
  expect(ids).toHaveLength(channels)

  const expectWhole = async (): Promise<Copies> => {
    const now = await copies(page, server, token, userId)
    for (const id of ids) expect([now.cloud[id], now.device[id]], `chat ${id} is whole somewhere`).toContain(messages)
    return now
  }

  // One call after the other fails, or takes the page with it, just before or just after it reached the server.
  for (const cut of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14]) {
    let left = cut
    const kind = (['offline', 'lost answer', 'reload'] as const)[cut % 3] ?? 'offline'
    let isCut = false
    const cutNow = new Promise<void>((resolve) => {
      void page.route(/\/api\/(channel|chat)\//, async (route) => {
        if (isCut || left-- > 0) return isCut ? route.abort() : route.continue()
        isCut = true
        if (kind === 'lost answer') await route.fetch()
        await route.abort()
        resolve()
      })
    })
    if ((await page.getByRole('region', { name: 'Move to Local Storage' }).count()) === 0) break
    await migrate(page)
    const over = page.locator('[data-tone]').filter({ hasText: /Migration (failed|completed|complete)/ })
    await Promise.race([cutNow, over.first().waitFor()])
    if (kind === 'reload') await page.reload()
    else await over.first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (kind !== 'reload') await page.reload()
    await expect(chatRows(page)).toHaveCount(channels)
    await expectWhole()
  }

  if ((await page.getByRole('region', { name: 'Move to Local Storage' }).count()) > 0) {
    await migrate(page)
    await expect(page.getByText(/^Migration completed successfully!/)).toBeVisible({ timeout: 30_000 })
  }
  const { cloud, device } = await expectWhole()
  expect(cloud).toEqual({})
  expect(device).toEqual(Object.fromEntries(ids.map((id) => [id, messages])))
  await chatRows(page).first().getByRole('link').click()
  await expect(page.getByText(/^Answer 229 of/)).toBeVisible()
})
