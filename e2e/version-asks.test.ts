// What asks for versions, in both homes alike: the web app's own chat against the server itself, over its socket, with
// the device's storage in memory.
import '../apps/web/src/testing/memory-indexeddb'
import type { StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { buildTestApp, type TestApp } from '../apps/server/src/testing/build-test-app'
import { words } from '../apps/server/src/testing/gateway-scenarios'
import { type GatewayStandIn, standInModels, startGatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { Client, goodPassword } from '../apps/server/src/testing/person'
import { aPage } from './a-page'

let app: TestApp
let gateway: GatewayStandIn
let restorePage: () => void

beforeAll(async () => {
  gateway = await startGatewayStandIn()
  const env = { LLM_BASE_URL: gateway.url, LLM_API_KEY: 'sk-canary-key', RATE_LIMIT_SCALE: '0' }
  app = await buildTestApp({ env, keepOpen: true })
  restorePage = aPage(app.url, WebSocket)
})
afterAll(async () => {
  // With it, the page's connections are closed.
  const { enterScope } = await parts()
  enterScope()
  restorePage()
  await app.close()
  await gateway.close()
})

/** The web app's own modules, once there is a page that they can run in. */
async function parts() {
  const [engine, sending, resending, editing, versions, homes, actions, box, session, vault, credits, scope] =
    await Promise.all([
      import('../apps/web/src/data/chat/chat-engine'),
      import('../apps/web/src/data/chat/send-message'),
      import('../apps/web/src/data/chat/resend-message'),
      import('../apps/web/src/data/chat/edit-question'),
      import('../apps/web/src/data/chat/versions'),
      import('../apps/web/src/data/channels/homes'),
      import('../apps/web/src/data/channels/channel-actions'),
      import('../apps/web/src/data/channels/outbox'),
      import('../apps/web/src/data/session/stored-session'),
      import('../apps/web/src/data/local/account-vault'),
      import('../apps/web/src/data/credits/shortage-state'),
      import('../apps/web/src/data/scope/scope'),
    ])
  return {
    ...{ ...engine, ...sending, ...resending, ...editing, ...versions, ...homes, ...actions, ...box, ...session },
    ...vault,
    ...credits,
    ...scope,
  }
}

/** Somebody new is signed in, in a chat of this home in which three questions are answered. */
async function aConversation(mode: StorageMode) {
  const app_ = await parts()
  const { homes, outbox, sendMessage } = app_
  await signInSomebody()
  const { id: channelId } = await app_.createChannel({ mode })
  const store = homes[mode]
  const path = async (): Promise<Message[]> => (await store.messages(channelId, { limit: 100 })).messages
  const said = async (): Promise<string[]> =>
    (await path()).map(({ chat_request, chat_response }) => `${chat_request} ${chat_response.content}`)
  const ended = async (): Promise<void> => {
    await expect.poll(async () => (await outbox.list()).length).toBe(0)
  }
  const ask = async (text: string): Promise<Message> => {
    await sendMessage({ channelId, text, mode })
    await ended()
    const message = (await path()).at(-1)
    if (!message) throw new Error('nothing was asked')
    return message
  }
  gateway.reset()
  const messages = [await ask('One?'), await ask('Two?'), await ask('Three?')] as const
  return { ...app_, channelId, store, path, said, ended, ask, messages }
}

async function signInSomebody(): Promise<void> {
  const { AccountVault, storeSession, storeShortage } = await parts()
  const email = `${uuidv7()}@example.org`
  const person = new Client(app, null)
  await person.signUp(email, goodPassword)
  const answer = await person.login(email)
  await AccountVault.signIn(answer.user.id, 'A'.repeat(43))
  storeSession(answer.user, answer, 'web2')
  // What a screen would do: it asks for their balance.
  storeShortage(false)
}

/** What the model was last given, without the system's part. */
const given = (): string[] =>
  gateway.requests
    .findLast(({ path }) => path.endsWith('/chat/completions'))
    ?.body.messages.slice(1)
    .map(({ content }) => content) ?? []

const all = ['One? You said: One?', 'Two? You said: Two?', 'Three? You said: Three?']
const runOf = ({ run, mId }: Message): string => run?.messageId ?? mId

describe.each(['local', 'cloud'] as const)('in a chat of this home: %s', (mode) => {
  it('an edited question stands beside the old one, told what came before it alone', async () => {
    const { channelId, editQuestion, ended, path, said, store, messages } = await aConversation(mode)
    const newId = await editQuestion(channelId, messages[1].mId, '  Two, edited? ')
    await ended()
    expect(await said()).toEqual([all[0], 'Two, edited? You said: Two, edited?'])
    expect(given()).toEqual(['One?', 'You said: One?', 'Two, edited?'])
    expect((await path())[1]?.versions).toEqual({ questions: [messages[1].mId, newId] })
    await store.show(channelId, { mId: messages[1].mId })
    expect(await said()).toEqual(all)
  })

  it('a question that is sent as soon as an edit is shown follows the edit', async () => {
    const { channelId, editQuestion, sendMessage, ended, path, messages } = await aConversation(mode)
    const newId = await editQuestion(channelId, messages[1].mId, 'Two, edited?')
    await sendMessage({ channelId, text: 'And then?', mode })
    await ended()
    expect((await path()).map(({ chat_request }) => chat_request)).toEqual(['One?', 'Two, edited?', 'And then?'])
    expect((await path())[1]?.mId).toBe(newId)
  })

  it('a question that is sent in the moment of an edit follows what is shown in that moment', async () => {
    const { channelId, editQuestion, sendMessage, ended, path, store, messages } = await aConversation(mode)
    const edited = editQuestion(channelId, messages[1].mId, 'Two, edited?')
    await Promise.all([edited, sendMessage({ channelId, text: 'And then?', mode })])
    await ended()
    const entries = await store.outline(channelId)
    const asked = entries.find(({ text }) => text === 'And then?')
    expect(asked?.afterMId).toBe(messages[2].mId)
    expect(entries.find(({ mId }) => mId === messages[1].mId)).toBeDefined()
    expect(entries.map(({ text }) => text)).toContain('Two, edited?')
    expect((await path()).length).toBeGreaterThan(1)
  })

  it('an edit can be edited, and so can the first question', async () => {
    const { channelId, editQuestion, ended, path, said, messages } = await aConversation(mode)
    const second = (await editQuestion(channelId, messages[1].mId, 'Second?')) ?? ''
    await ended()
    const third = await editQuestion(channelId, second, 'Third?')
    await ended()
    expect(given()).toEqual(['One?', 'You said: One?', 'Third?'])
    expect((await path())[1]?.versions?.questions).toEqual([messages[1].mId, second, third])
    const first = await editQuestion(channelId, messages[0].mId, 'Anew?')
    await ended()
    expect(given()).toEqual(['Anew?'])
    expect(await said()).toEqual(['Anew? You said: Anew?'])
    expect((await path())[0]?.versions?.questions).toEqual([messages[0].mId, first])
  })

  it('an edit that changes nothing, or is empty, asks nothing', async () => {
    const { channelId, editQuestion, said, messages } = await aConversation(mode)
    const { length } = gateway.requests
    expect(await editQuestion(channelId, messages[1].mId, ' Two? ')).toBeUndefined()
    expect(await editQuestion(channelId, messages[1].mId, '  ')).toBeUndefined()
    const twice = [editQuestion(channelId, messages[1].mId, 'X?'), editQuestion(channelId, messages[1].mId, 'X?')]
    expect((await Promise.all(twice)).filter((mId) => mId !== undefined)).toHaveLength(1)
    await expect.poll(() => gateway.requests.length).toBe(length + 1)
    await expect.poll(said).toEqual([all[0], 'X? You said: X?'])
  })

  it('an edit stops the answer that is being written, whose text stays with its question', async () => {
    const { channelId, editQuestion, ended, path, said, sendMessage, store, outbox } = await aConversation(mode)
    gateway.next({ text: words(2_000), tokensPerSecond: 50 })
    await sendMessage({ channelId, text: 'Four?', mode })
    await expect.poll(async () => (await outbox.list()).length).toBe(1)
    const asked = await expect
      .poll(async () => (await path()).at(-1)?.chat_request)
      .toBe('Four?')
      .then(async () => (await path()).at(-1))
    await expect.poll(() => gateway.requests.length).toBe(4)
    await editQuestion(channelId, asked?.mId ?? '', 'Five?')
    await ended()
    expect((await said()).at(-1)).toBe('Five? You said: Five?')
    expect(gateway.requests[3]?.aborted).toBe(true)
    await store.show(channelId, { mId: asked?.mId ?? '' })
    expect((await path()).at(-1)).toMatchObject({ chat_request: 'Four?', status: 'stopped' })
  })

  it('an answer in the middle is asked for anew with another model, and what followed the old one stays', async () => {
    const { channelId, resendMessage, ended, path, said, store, messages } = await aConversation(mode)
    gateway.next({ text: 'Larger.' })
    await resendMessage(channelId, messages[1].mId, { modelId: 'stand-in/large' })
    await ended()
    expect(await said()).toEqual([all[0], 'Two? Larger.'])
    expect(given()).toEqual(['One?', 'You said: One?', 'Two?'])
    expect(gateway.requests.at(-1)?.body.model).toBe('stand-in/large')
    const [, shown] = await path()
    expect(shown).toMatchObject({ model: 'stand-in/large' })
    const second = runOf(shown as Message)
    expect(shown?.versions).toEqual({ answers: [runOf(messages[1]), second], answer: second })
    await store.show(channelId, { mId: messages[1].mId, runId: runOf(messages[1]) })
    expect(await said()).toEqual(all)
    expect((await path())[1]?.model).toBe(standInModels[0]?.id)
  })

  it('an answer that is asked for anew of a gateway that is gone leaves all as it was', async () => {
    const { channelId, resendMessage, ended, path, said, messages } = await aConversation(mode)
    gateway.next({ status: 401 })
    await resendMessage(channelId, messages[1].mId)
    await ended()
    await expect.poll(said).toEqual(all)
    expect((await path())[1]?.versions).toBeUndefined()
    expect((await path())[1]).toMatchObject({ status: 'completed', model: standInModels[0]?.id })
  })

  it('a question edited for a gateway that is gone is a version that says so', async () => {
    const { channelId, editQuestion, ended, path, messages } = await aConversation(mode)
    gateway.next({ status: 401 })
    const newId = await editQuestion(channelId, messages[1].mId, 'Edited?')
    await ended()
    expect((await path())[1]).toMatchObject({
      ...{ mId: newId, chat_request: 'Edited?', status: 'failed' },
      versions: { questions: [messages[1].mId, newId] },
    })
  })

  it('a question is edited that followed a deleted one', async () => {
    const { channelId, editQuestion, deleteMessage, ended, said, path, messages } = await aConversation(mode)
    await editQuestion(channelId, messages[2].mId, 'Three, edited?')
    await ended()
    await deleteMessage(channelId, messages[1].mId)
    expect(await said()).toEqual([all[0], 'Three, edited? You said: Three, edited?'])
    const last = (await path()).at(-1)
    const newId = await editQuestion(channelId, last?.mId ?? '', 'Again?')
    await ended()
    expect(await said()).toEqual([all[0], 'Again? You said: Again?'])
    expect(given()).toEqual(['One?', 'You said: One?', 'Again?'])
    expect((await path()).at(-1)?.versions?.questions).toEqual([messages[2].mId, last?.mId, newId])
  })

  it('a version is deleted with all that followed it, and counted before', async () => {
    const { channelId, editQuestion, messagesBelow, deleteVersion, ended, ask, said, messages } =
      await aConversation(mode)
    const newId = (await editQuestion(channelId, messages[1].mId, 'Edited?')) ?? ''
    await ended()
    await ask('On?')
    expect(await messagesBelow(channelId, newId)).toBe(1)
    expect(await messagesBelow(channelId, messages[1].mId)).toBe(1)
    expect(await messagesBelow(channelId, messages[0].mId)).toBe(4)
    await deleteVersion(channelId, newId)
    expect(await said()).toEqual(all)
  })

  it('a version that is being written is deleted for good', async () => {
    const { channelId, editQuestion, deleteVersion, said, store, messages, outbox } = await aConversation(mode)
    gateway.next({ text: words(2_000), tokensPerSecond: 50 })
    const newId = (await editQuestion(channelId, messages[1].mId, 'Edited?')) ?? ''
    await expect.poll(() => gateway.requests.length).toBe(4)
    await deleteVersion(channelId, newId)
    await expect.poll(() => gateway.requests[3]?.aborted).toBe(true)
    expect(await outbox.list()).toEqual([])
    expect(await said()).toEqual(all)
    expect(await store.outline(channelId)).toHaveLength(3)
  })

  it('a version becomes a chat of its own, which goes on by itself', async () => {
    const { channelId, branchFrom, said, store, sendMessage, ended, messages } = await aConversation(mode)
    const { id } = await branchFrom(channelId, { mId: messages[1].mId })
    await sendMessage({ channelId: id, text: 'On?', mode })
    await ended()
    expect(given()).toEqual(['One?', 'You said: One?', 'Two?', 'You said: Two?', 'On?'])
    expect((await store.messages(id)).messages).toHaveLength(3)
    expect(await said()).toEqual(all)
  })
})

it('what an edited question follows may be gone by then: it is not sent, and its text is kept', async () => {
  const { channelId, editQuestion, said, path, ended, messages, homes } = await aConversation('cloud')
  const { readDraft } = await import('../apps/web/src/data/channels/drafts')
  const { length } = gateway.requests
  // As if another device had cleared the chat between the look and the question.
  const { message } = homes.cloud
  homes.cloud.message = async (...which) => {
    const found = await message.apply(homes.cloud, which)
    return found && { ...found, afterRunId: uuidv7() }
  }
  try {
    await editQuestion(channelId, messages[1].mId, 'Edited?')
  } finally {
    homes.cloud.message = message
  }
  await ended()
  expect(gateway.requests).toHaveLength(length)
  expect(await said()).toEqual(all)
  expect((await path())[1]?.versions).toBeUndefined()
  expect(await readDraft(channelId)).toBe('Edited?')
})
