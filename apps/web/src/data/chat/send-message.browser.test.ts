import { expect, it, onTestFinished, vi } from 'vitest'
import { createChannel } from '../channels/channel-actions'
import { homes } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { abandonRuns, startChat } from './chat-engine'
import { isAnswering } from './live-chat'
import { sendMessage } from './send-message'

it('a look for unfinished questions, in the middle of asking one, does not take it for a leftover', async () => {
  const channel = await createChannel({ mode: 'local' })
  let goOn = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const { put } = homes.local
  const slow = vi.spyOn(homes.local, 'put').mockImplementation(async (message) => {
    await gate
    return put.call(homes.local, message)
  })
  onTestFinished(() => slow.mockRestore())

  const sent = sendMessage({ channelId: channel.id, text: 'Still there?', mode: 'local' })
  await expect.poll(async () => (await outbox.list()).length).toBe(1)
  startChat()
  // It has found the entry, and waits until whoever asks is done.
  const isWaited = async () =>
    (await navigator.locks.query()).pending?.some(({ name }) => name?.startsWith('parley:answer:'))
  await expect.poll(isWaited).toBe(true)
  goOn()
  await sent
  await expect.poll(isWaited).toBe(false)
  expect((await outbox.list()).map(({ body }) => body.question)).toEqual(['Still there?'])
  expect((await homes.local.messages(channel.id)).messages.map(({ chat_request }) => chat_request)).toEqual([
    'Still there?',
  ])
})

it('an answer whose end is stored is over, also when the page was left before its question was off the list', async () => {
  const channel = await createChannel({ mode: 'local' })
  await sendMessage({ channelId: channel.id, text: 'Is it over?', mode: 'local' })
  const [entry] = (await outbox.list()).filter(({ body }) => body.channelId === channel.id)
  const { messages } = await homes.local.messages(channel.id)
  const [message] = messages
  if (!entry || !message) throw new Error('nothing was asked')
  await outbox.remove(entry.body.messageId)
  abandonRuns([entry.body.messageId])
  await expect
    .poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name?.endsWith(entry.body.messageId)))
    .toBe(false)
  const stored = {
    ...message,
    status: 'completed' as const,
    chat_response: { role: 'assistant' as const, content: 'Yes.' },
  }
  await homes.local.put({ ...stored, run: { messageId: entry.body.messageId, seq: 5, base: 0 } })
  await outbox.add(entry)

  startChat()
  await expect.poll(async () => (await outbox.list()).filter(({ body }) => body.channelId === channel.id)).toEqual([])
  expect(isAnswering(channel.id)).toBe(false)
  expect(await homes.local.message(channel.id, message.mId)).toMatchObject({
    status: 'completed',
    chat_response: { content: 'Yes.' },
  })
})
