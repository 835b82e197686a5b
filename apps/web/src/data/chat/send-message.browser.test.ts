import { expect, it, onTestFinished, vi } from 'vitest'
import { createChannel } from '../channels/channel-actions'
import { homes } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { startChat } from './chat-engine'
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
  const isWaited = async () => (await navigator.locks.query()).pending?.some(({ name }) => name?.startsWith('parley:answer:'))
  await expect.poll(isWaited).toBe(true)
  goOn()
  await sent
  await expect.poll(isWaited).toBe(false)
  expect((await outbox.list()).map(({ body }) => body.question)).toEqual(['Still there?'])
  expect((await homes.local.messages(channel.id)).messages.map(({ chat_request }) => chat_request)).toEqual(['Still there?'])
})
