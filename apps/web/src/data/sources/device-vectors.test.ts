import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { configRoutes, type PublicConfig } from '@parley/contract/config'
import { AppError } from '@parley/contract/errors'
import { sourceVectorRoutes } from '@parley/contract/source-vectors'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startInPageReader } from '../../testing/in-page-reader'
import { seedSession } from '../../testing/seed-session'
import { LocalChannelStore } from '../channels/local-channel-store'
import { announceHere } from '../local/changes'
import type { Device } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { createWorkspace } from '../workspace'
import { DeviceSourceStore } from './device-source-store'
import { activeSources, storedSource } from './device-sources'
import { meaningOfServer, setMeaningOn } from './meaning'
import { aFile } from './source-store-suite'

const filler = (n: number): string => `Chapter ${n}. ${'The text that all chapters have in common. '.repeat(20)}`
const paragraphs = Array.from({ length: 90 }, (_, n) => filler(n))
const book = (secret: string): string => [...paragraphs.slice(0, 70), secret, ...paragraphs.slice(70)].join('\n\n')
const asked = { question: 'quimple?', roomTokens: 800 }

const config: PublicConfig = {
  ...{ product: { name: 'Parley', slug: 'parley' }, version: '0.1.0', signInMethods: [], contact: {} },
  ...{ isEmailConfirmationRequired: false, defaultModel: 'm', models: 'gateway', anonymousDailyMessages: null },
}

/** The server of these tests: which words mean the like is all that its model knows. */
const server = {
  isAway: false,
  model: 'meaning-1',
  texts: [] as string[],
  /** Holds the next answers until it is resolved. */
  gate: Promise.resolve(),
}
const vectorOf = (text: string): number[] => [/quimple|zorbat/i.test(text) ? 1 : 0, 0.1, 0, -0.3]
const base64Of = (vector: number[]): string => Buffer.from(new Float32Array(vector).buffer).toString('base64')

const answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
  if (pathname === configRoutes.get.path)
    return Response.json({ ...config, vectors: { model: server.model } } satisfies PublicConfig)
  if (pathname !== sourceVectorRoutes.embed.path) return Response.json({}, { status: 404 })
  const { texts } = JSON.parse(String(init?.body)) as { texts: string[] }
  server.texts.push(...texts)
  await server.gate
  init?.signal?.throwIfAborted()
  if (server.isAway) return Response.json({ success: false, code: 'source.vectors-away' }, { status: 503 })
  return Response.json({ key: `${server.model}#4`, vectors: texts.map((text) => base64Of(vectorOf(text))) })
}

let device: Device
let channelId: string
let store: DeviceSourceStore
const storeOf = (): DeviceSourceStore =>
  new DeviceSourceStore({
    ...{ open: openDevice, startReader: startInPageReader, meaning: meaningOfServer, pauseMs: 0 },
  })

beforeEach(async () => {
  Object.assign(server, { isAway: false, model: 'meaning-1', texts: [], gate: Promise.resolve() })
  globalThis.fetch = answer
  localStorage.clear()
  await seedSession()
  createWorkspace({ queryClient: new QueryClient() })
  device = await openDevice()
  for (const name of device.db.objectStoreNames) if (name !== 'meta') await device.db.clear(name)
  const channels = new LocalChannelStore({ open: openDevice })
  channelId = (await channels.create({ assistantId: null })).id
  store = storeOf()
})
afterEach(() => {
  announceHere({ kind: 'leaving' })
  forgetSession()
})

async function added(text = book('A zorbat lives here.')) {
  const { source } = await store.addFile(channelId, aFile('book.txt', text))
  await store.whenRead(channelId)
  return source
}

/** What an exact word finds of it, as the product tells whether a source is done. */
const whole = async (key: string, from = store): Promise<void> => {
  await from.list(channelId)
  await vi.waitFor(
    async () => {
      const stored = await activeSources(device, channelId)
      expect(stored.map(({ vectors }) => [vectors?.key, vectors?.isWhole])).toEqual([[key, true]])
    },
    { timeout: 20_000, interval: 20 },
  )
}

const sentFor = async (from = store): Promise<string> =>
  JSON.stringify((await from.choose(channelId, asked))?.sent.map(({ passages }) => passages))

it('sends nothing of a source or of a question to be compared by meaning unless the person has switched it on', async () => {
  await added()
  await store.list(channelId)
  expect(await sentFor()).not.toContain('zorbat')
  // Nor for another person, whatever the one before had wanted.
  localStorage.setItem('search-by-meaning', 'somebody-else')
  await store.list(channelId)
  expect(await sentFor()).not.toContain('zorbat')
  expect(server.texts).toEqual([])
})

it('finds a passage that shares no word with the question, once the person has switched it on', async () => {
  setMeaningOn(true)
  await added()
  await whole('meaning-1#4')
  const { passages } = await storedSource(device, (await store.list(channelId))[0] ?? { id: '', channelId })
  expect(passages).toBeTruthy()
  expect(server.texts.filter((text) => text.includes('A zorbat lives here.'))).toHaveLength(1)
  expect(server.texts).not.toContain(asked.question)
  expect(await sentFor()).toContain('A zorbat lives here.')
  expect(server.texts.filter((text) => text === asked.question)).toHaveLength(1)
  // A short question means what was asked before it.
  const short = { question: 'And why?', before: ['Is it about quimple?'], roomTokens: asked.roomTokens }
  expect(JSON.stringify(await store.choose(channelId, short))).toContain('A zorbat lives here.')
  // Where everything has room there is nothing to be found: the question stays.
  await store.choose(channelId, { ...asked, roomTokens: 1_000_000 })
  expect(server.texts.filter((text) => text === asked.question)).toHaveLength(1)
})

it('searches by words alone while the server is away, and goes on when it is back', async () => {
  setMeaningOn(true)
  await added()
  await whole('meaning-1#4')
  server.isAway = true
  expect(await sentFor()).not.toContain('zorbat')
  expect(await store.choose(channelId, { ...asked, question: 'zorbat' })).toMatchObject({
    sent: [{ of: expect.any(Number) }],
  })
  server.isAway = false
  expect(await sentFor(storeOf())).toContain('A zorbat lives here.')
})

it('makes them again for another model, and compares a question with those of its own alone', async () => {
  setMeaningOn(true)
  const source = await added()
  await whole('meaning-1#4')
  const before = await storedSource(device, source)
  server.model = 'meaning-2'
  server.texts.length = 0
  // The question tells of it first.
  expect(await sentFor()).not.toContain('zorbat')
  await whole('meaning-2#4')
  expect(server.texts.filter((text) => text.includes('A zorbat lives here.'))).toHaveLength(1)
  expect(await sentFor(storeOf())).toContain('A zorbat lives here.')
  const keys = (await device.db.getAllKeys('files')).filter((key) => key.includes(before.vectors?.part ?? 'none'))
  expect(keys).toEqual([])
})

it('goes on after a reload where it was, ends with the switch, and keeps what there is', async () => {
  let open = (): void => undefined
  server.gate = new Promise<void>((resolve) => {
    open = resolve
  })
  setMeaningOn(true)
  const source = await added()
  await store.list(channelId)
  await vi.waitFor(() => expect(server.texts.length).toBeGreaterThan(0))
  const first = [...server.texts]
  // Switched off in the middle: what is under way comes to nothing, and nothing follows it.
  setMeaningOn(false)
  open()
  await store.list(channelId)
  expect((await storedSource(device, source)).vectors).toBeUndefined()
  expect(server.texts).toEqual(first)
  // One call gets through, the next one finds the tab closed.
  setMeaningOn(true)
  let calls = 0
  globalThis.fetch = async (input, init) => {
    if (String(input).includes(sourceVectorRoutes.embed.path) && ++calls === 2) {
      announceHere({ kind: 'leaving' })
      throw new DOMException('aborted', 'AbortError')
    }
    return answer(input, init)
  }
  await store.list(channelId)
  await vi.waitFor(() => expect(calls).toBe(2), { timeout: 10_000 })
  const { vectors } = await storedSource(device, source)
  expect(vectors).toMatchObject({ isWhole: false, pieces: 1 })
  globalThis.fetch = answer
  server.texts.length = 0
  const later = storeOf()
  await whole('meaning-1#4', later)
  const { passages = 0 } = (await later.list(channelId))[0] ?? {}
  expect(server.texts).toHaveLength(passages - (vectors?.count ?? 0))
  expect(server.texts.some((text) => first.includes(text))).toBe(false)
  setMeaningOn(false)
  server.texts.length = 0
  expect(await sentFor(later)).not.toContain('zorbat')
  expect(server.texts).toEqual([])
  expect((await storedSource(device, source)).vectors?.isWhole).toBe(true)
})

it('keeps them sealed, and removes them with their source', async () => {
  const count = (): Promise<number> => device.db.count('files')
  const before = await count()
  setMeaningOn(true)
  const source = await added()
  await whole('meaning-1#4')
  const { vectors, contentId } = await storedSource(device, source)
  expect(
    (await device.db.getAllKeys('files')).filter((key) => key.startsWith(`${contentId}|${vectors?.part}|`)),
  ).toHaveLength(vectors?.pieces ?? -1)
  // Neither a passage nor a vector, as floats or in steps, stands anywhere in the open.
  const records = [...(await device.db.getAll('files')), ...(await device.db.getAll('documents'))]
  const bytes = Buffer.concat(records.flatMap(({ c }) => (c ? [Buffer.from(c)] : [])))
  expect(bytes.length).toBeGreaterThan(vectors?.bytes ?? Number.POSITIVE_INFINITY)
  const steps = Buffer.from(new Int8Array([0, 42, 0, -127]).buffer)
  for (const plain of ['zorbat', 'meaning-1', Buffer.from(new Float32Array(vectorOf('lamp')).buffer), steps])
    expect(bytes.indexOf(plain)).toBe(-1)
  await store.remove(source)
  expect(await count()).toBe(before)
})

it('stops where the server has no model any more, without asking again and again', async () => {
  setMeaningOn(true)
  let calls = 0
  globalThis.fetch = async (input, init) => {
    if (!String(input).includes(sourceVectorRoutes.embed.path)) return answer(input, init)
    calls++
    const { code, status } = new AppError('source.vectors-off')
    return Response.json({ success: false, code }, { status })
  }
  await added()
  await vi.waitFor(() => expect(calls).toBe(1))
  expect(await sentFor()).not.toContain('zorbat')
})
