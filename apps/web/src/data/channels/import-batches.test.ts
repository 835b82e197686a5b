import type { Message } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { afterEach, expect, it, vi } from 'vitest'
import { aMessage } from './channel-store-suite'
import { fillCloud } from './fill-cloud'

afterEach(() => vi.unstubAllGlobals())

/** A server that takes everything; answers the bytes of each call, and the messages that it was given. */
function aServer() {
  const calls: number[] = []
  const taken: string[] = []
  vi.stubGlobal('fetch', async (_input: unknown, init?: RequestInit) => {
    const text = String(init?.body)
    calls.push(new TextEncoder().encode(text).length)
    const { messages } = JSON.parse(text) as { messages: Message[] }
    taken.push(...messages.map(({ mId }) => mId))
    return Response.json({ added: messages.length, existing: 0, total: taken.length })
  })
  return { calls, taken }
}

const answers = (count: number, content: string): Message[] =>
  Array.from({ length: count }, (_, index) =>
    aMessage('c1', { mId: `m${index}`, chat_response: { role: 'assistant', content } }),
  )

it.each([
  ['letters', 'a'.repeat(60_000)],
  ['what JSON writes longer', '"\u0000'.repeat(8_000)],
  ['what is several bytes', '雪🌙'.repeat(8_000)],
])('brings a chat of long answers (%s) to the cloud in calls of a megabyte, in order', async (_name, content) => {
  const { calls, taken } = aServer()
  const messages = answers(60, content)
  await fillCloud('c1', messages)
  expect(taken).toEqual(messages.map(({ mId }) => mId))
  expect(Math.max(...calls)).toBeLessThanOrEqual(webLimits.cloud.importCallBytes + 100)
  expect(Math.max(...calls)).toBeGreaterThan(webLimits.cloud.importCallBytes / 2)
})

it('sends a message that is larger alone, and short ones by the number of a call', async () => {
  const { calls, taken } = aServer()
  await fillCloud('c1', [...answers(1, 'a'.repeat(2_000_000)), ...answers(300, 'b').slice(1)])
  expect(taken).toHaveLength(300)
  expect(calls.filter((bytes) => bytes > webLimits.cloud.importCallBytes)).toHaveLength(1)
  expect(calls.length).toBeLessThanOrEqual(4)
})
