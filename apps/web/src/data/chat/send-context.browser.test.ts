import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits/shared'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createChannel } from '../channels/channel-actions'
import { homes } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { outbox } from '../channels/outbox'
import { chooseModel } from '../models/chosen-model'
import { writeModelsCache } from '../models/models-cache'
import { resendMessage } from './resend-message'
import { dropAnswers, sendMessage } from './send-message'

const small = { id: 'stand-in/small', name: 'Small', free: true, contextTokens: 8_192 }

afterEach(() => {
  chooseModel(undefined)
  localStorage.removeItem('models-cache')
})

/** A chat of this device with so many exchanges; `sent`: the question that waits for a connection. */
async function aChat(exchanges: number, length = 0) {
  const { id } = await createChannel({ mode: 'local' })
  onTestFinished(async () => {
    await dropAnswers(id)
    await homes.local.remove(id)
  })
  const said = (n: number): Message => ({
    ...{ mId: `m${n}`, channelId: id, status: 'completed', datetime: new Date(n * 1_000).toISOString() },
    chat_request: `q${n} `.padEnd(length, 'x'),
    chat_response: { role: 'assistant', content: `a${n} `.padEnd(length, 'y') },
  })
  await localChannels.addMessages(
    id,
    Array.from({ length: exchanges }, (_, n) => said(n + 1)),
  )
  const texts = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => said(from + n)).flatMap(({ chat_request, chat_response }) => [
      { role: 'user', content: chat_request },
      chat_response,
    ])
  const sent = async (): Promise<CreateChatMessage | undefined> =>
    (await outbox.list()).map(({ body }) => body).findLast(({ channelId }) => channelId === id)
  const ask = async () => {
    await sendMessage({ channelId: id, text: 'And now?', mode: 'local' })
    return sent()
  }
  return { id, ask, sent, texts }
}

describe('a question of a chat of this device', () => {
  it.each([
    [7, undefined],
    [60, 53],
    [3_000, 500],
  ])('of %i exchanges carries the last seven and %s before them', async (exchanges, earlier) => {
    const { ask, texts } = await aChat(exchanges)
    const body = await ask()
    expect(body?.lastMessages).toEqual(texts(exchanges - 6, exchanges))
    expect(body?.earlierMessages?.length).toBe(earlier && 2 * earlier)
    if (earlier) expect(body?.earlierMessages).toEqual(texts(exchanges - 6 - earlier, exchanges - 7))
  })

  it('carries no more than the window of the chosen model holds, and never more than a frame', async () => {
    const { id, ask, sent, texts } = await aChat(120, 2_000)
    const frame = JSON.stringify(await ask()).length
    expect(frame).toBeLessThanOrEqual(limits.chat.maxFrameBytes)
    expect(frame).toBeGreaterThan(0.9 * limits.chat.maxFrameBytes)
    await dropAnswers(id)
    writeModelsCache([small])
    chooseModel(small)
    await ask()
    const body = await sent()
    expect(body?.lastMessages).toEqual(texts(114, 120))
    expect(body?.earlierMessages).toBeUndefined()
  })

  it('that is asked again far back carries what was said before it, and nothing after', async () => {
    const { id, sent, texts } = await aChat(200)
    await resendMessage(id, 'm20')
    const body = await sent()
    expect(body?.question).toBe('q20 ')
    expect(body?.earlierMessages).toEqual(texts(1, 12))
    expect(body?.lastMessages).toEqual(texts(13, 19))
  })
})
