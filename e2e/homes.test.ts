// Both homes of channels behave alike: the suite that runs against IndexedDB in Chromium runs here against REST on each
// database.
import { uuidv7 } from '@parley/contract/uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, databases, type TestApp } from '../apps/server/src/testing/build-test-app'
import { Client, goodPassword } from '../apps/server/src/testing/person'
import { aMessage, describeChannelStore } from '../apps/web/src/data/channels/channel-store-suite'

/** As much of a browser as the store needs: a page of this server, and what is stored of a session. */
function aBrowser(url: string): void {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const { fetch } = globalThis
  Object.assign(globalThis, {
    localStorage: storage,
    sessionStorage: storage,
    location: new URL(`${url}/app`),
    document: { documentElement: { lang: 'en-US' } },
    addEventListener: () => undefined,
    dispatchEvent: () => true,
    fetch: (path: string, init?: RequestInit) => fetch(new URL(path, url), init),
  })
}

describe.each(databases)('on %s', (kind) => {
  let app: TestApp
  const { fetch } = globalThis

  beforeAll(async () => {
    app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' }, keepOpen: true })
    aBrowser(app.url)
  })
  afterAll(async () => {
    globalThis.fetch = fetch
    await app.close()
  })

  /** The cloud of somebody new. */
  async function aCloud() {
    const { storeSession } = await import('../apps/web/src/data/session/stored-session')
    const { CloudChannelStore } = await import('../apps/web/src/data/channels/cloud-channel-store')
    const email = `${uuidv7()}@example.org`
    const person = new Client(app, null)
    await person.signUp(email, goodPassword)
    const answer = await person.login(email)
    storeSession(answer.user, answer, 'web2')
    return new CloudChannelStore()
  }

  describeChannelStore(`the cloud (REST on ${kind})`, aCloud, { isWriter: false })

  it('a channel is known to be here without its id being asked for, and one of a device is not', async () => {
    const store = await aCloud()
    const { id } = await store.create({ assistantId: null })
    expect(await store.has(id)).toBe(true)
    const device = uuidv7()
    expect(await store.has(device)).toBe(false)
    expect(app.logs()).not.toContain(device)
  })

  it('an import that is made again adds nothing, however many batches it has', async () => {
    const store = await aCloud()
    const { id } = await store.create({ assistantId: null })
    const messages = Array.from({ length: 450 }, (_, n) => aMessage(id, { chat_request: `q${n}` }))
    expect(await store.importMessages(id, messages)).toBe(450)
    expect(await store.importMessages(id, messages)).toBe(450)
    const { messages: newest } = await store.messages(id, { limit: 100 })
    expect(newest.map(({ chat_request }) => chat_request)).toEqual(Array.from({ length: 100 }, (_, n) => `q${350 + n}`))
  })

  it('a question that the server refused is kept with the reason', async () => {
    const store = await aCloud()
    const { id } = await store.create({ assistantId: null })
    const message = aMessage(id, { status: 'queued', chat_response: { role: 'assistant', content: '' } })
    await store.put(message)
    expect((await store.messages(id)).messages).toEqual([message])
    await store.put({ ...message, status: 'failed', error: { code: 'chat.too-fast', content: 'Too fast.' } })
    const { messages } = await store.messages(id)
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      mId: message.mId,
      chat_request: message.chat_request,
      status: 'failed',
      error: { code: 'chat.too-fast' },
    })
  })
})
