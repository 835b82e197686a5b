// Chats in quantity: made from numbers, put into the cloud or a file, and read back whole from either home.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { ParleyServer } from './parley-server'
import { call, chatRows, expect } from './people'

type Said = Record<string, unknown> & { mId: string }
export type Chat = { channelName: string; created_at: string; updated_at: string; messages: Said[] }
/** By the id of the channel. */
export type Chats = Map<string, Chat>

/** mulberry32: the same numbers for the same seed. */
export function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const at = (chat: number, second: number): string => new Date(Date.UTC(2026, 0, 1, 0, chat, second)).toISOString()

/** What a database, a cipher or a file could get wrong. */
const texts = [
  'não é só isso',
  '漢字 かな 🙂🇧🇷',
  '\u0000 a null',
  '\u0001"quotes" \\ and </script>',
  '‮RTL',
  'half \ud83d a pair',
  '',
]

/** An exchange in each of the ways it can have ended. */
function exchange(channelId: string, chat: number, n: number): Said {
  const text = texts[n % texts.length] ?? ''
  const said = {
    mId: `${channelId}-${n}`,
    channelId,
    chat_request: `Question ${n} of ${chat} ${text}`,
    datetime: at(chat, n),
  }
  const answer = (content: string) => ({ role: 'assistant', content })
  switch (n % 11) {
    case 3:
      return { ...said, chat_response: answer(`Half an ans${text}`), status: 'interrupted', model: 'parley/offline' }
    case 5:
      return { ...said, chat_response: answer(text), status: 'stopped', durationMs: n }
    case 7:
      return {
        ...said,
        chat_response: answer(''),
        status: 'failed',
        error: { code: 'server-error', content: `It broke ${text}` },
      }
    default: {
      const usage = { inputTokens: n, outputTokens: 2 * n, cost: String(1_000 * n) }
      return {
        ...said,
        chat_response: answer(`Answer ${n} of ${chat} ${text}`),
        status: 'completed',
        model: 'a/model',
        usage,
        finishReason: 'stop',
      }
    }
  }
}

/** Chats of uneven length, from an empty one to one of several batches, with so many messages together. */
export function makeChats(channels: number, messages: number): Chats {
  const chats: Chats = new Map()
  const even = Math.floor(messages / channels)
  let left = messages
  for (let c = 0; c < channels; c++) {
    const share = c % 10 === 3 ? 0 : c % 10 === 4 ? 2 * even : even
    const count = c === channels - 1 ? left : Math.min(share, left)
    left -= count
    const id = `chat-${c}`
    const entries = Array.from({ length: count }, (_, n) => exchange(id, c, n))
    chats.set(id, {
      channelName: `Chat number ${c} ${texts[c % 2]}`,
      created_at: at(c, 0),
      updated_at: at(c, count),
      messages: entries,
    })
  }
  return chats
}

/** The same chats as the file that another browser would have exported. */
export function chatsFile(chats: Chats): Buffer {
  const channels = [...chats].map(([id, { messages: _, ...channel }]) => ({ id, assistantId: null, ...channel }))
  const messages = Object.fromEntries([...chats].map(([id, chat]) => [id, chat.messages]))
  return Buffer.from(JSON.stringify({ channels, chats: messages, exportedAt: at(0, 0), version: '1.0' }))
}

/** What a message follows is told by their order: these chats have no branches. */
const withoutPlace = ({ afterRunId: _after, ...said }: Said): Said => said as Said

/** So many calls at a time. */
async function inParallel<T>(all: Iterable<T>, action: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await action(next)
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

/** Puts the chats into the cloud, as another device would have. */
export async function fillCloud(server: ParleyServer, token: string, chats: Chats): Promise<void> {
  await inParallel(chats, async ([id, { messages, ...channel }]) => {
    expect(
      (await call(server, 'POST', '/api/channel', { token, body: { id, assistantId: null, ...channel } })).status,
    ).toBe(201)
    for (let from = 0; from < messages.length; from += 200) {
      const body = { messages: messages.slice(from, from + 200) }
      expect((await call(server, 'PUT', `/api/chat/${id}/messages`, { token, body })).status).toBe(200)
    }
  })
}

/** The ids of the cloud's channels. */
export async function channelIds(server: ParleyServer, token: string): Promise<string[]> {
  const { channels } = await (await call(server, 'GET', '/api/channel', { token })).json()
  return channels.map(({ id }: { id: string }) => id)
}

/** Every chat of the cloud with every message, as its owner reads them. */
export async function cloudChats(server: ParleyServer, token: string): Promise<Chats> {
  const { channels } = await (await call(server, 'GET', '/api/channel', { token })).json()
  const chats: Chats = new Map()
  await inParallel<Chat & { id: string }>(channels, async ({ id, channelName, created_at, updated_at }) => {
    const pages: Said[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query: string = cursor === '' ? '' : `?before=${cursor}`
      const page = await (await call(server, 'GET', `/api/chat/documents/0/100/${id}${query}`, { token })).json()
      pages.unshift(page.content.map(withoutPlace))
      cursor = page.cursor
    }
    chats.set(id, { channelName, created_at, updated_at, messages: pages.flat() })
  })
  return chats
}

/** Every chat of this device with every message: decrypted and written to a file by the app itself. */
export async function deviceChats(page: Page): Promise<Chats> {
  await expect(
    chatRows(page)
      .first()
      .or(page.getByText(/^No chats yet/)),
  ).toBeVisible()
  if ((await chatRows(page).count()) === 0) return new Map()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Chats menu' }).click()
      await page.getByRole('menuitem', { name: 'Export all chats' }).click()
    })(),
  ])
  const { channels, chats } = JSON.parse(readFileSync(await download.path(), 'utf8'))
  const found: Chats = new Map()
  for (const { id, channelName, created_at, updated_at } of channels)
    found.set(id, { channelName, created_at, updated_at, messages: (chats[id] ?? []).map(withoutPlace) })
  return found
}

/** The chat as one text: equal where name, times, order and every field of every message are. */
export function digestOf(chat: Chat | undefined): string {
  return JSON.stringify(chat, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** One home has exactly these chats. */
export function expectSame(found: Chats, wanted: Chats, home: string): void {
  expect([...found.keys()].sort(), `the chats of ${home}`).toEqual([...wanted.keys()].sort())
  // One by one, so that a difference is shown in few lines.
  for (const [id, chat] of wanted)
    if (digestOf(found.get(id)) !== digestOf(chat)) expect(found.get(id), `${id} in ${home}`).toEqual(chat)
}
