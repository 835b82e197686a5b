import type { ServerFrame } from '@parley/contract/chat'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { answerLock } from '../../data/chat/answer-lock'
import { dropAnswers } from '../../data/chat/send-message'
import { withTabLock } from '../../data/local/tab-lock'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

const line = aChatLine()
beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

/** The device has no room for messages. */
function fillDisk(): void {
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function putOrRefuse(this: IDBObjectStore, ...args) {
    if (this.name === 'exchanges' || this.name === 'runs') throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, args)
  })
}

async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A question is asked, accepted and answered, and the answer ends while the device is full. */
async function answerThatCannotBeStored() {
  const [lease] = await seedChannels('Lease clauses')
  const channelId = lease?.id ?? ''
  const { user } = await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'What is a lien?{Enter}')
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const text = 'A right to keep a thing.'
  const push = (frame: object): void => line.push({ messageId, mId: messageId, ...frame } as ServerFrame)
  push({ event: 'accepted', seq: 1, model: 'm' })
  push({ event: 'content', seq: 2, content: text })
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy()
  fillDisk()
  const message = { mId: messageId, chat_response: { role: 'assistant', content: text } }
  push({ event: 'end', seq: 3, message, length: text.length, sha256: await sha256(text) })
  await screen.findByText('Not saved yet. It is saved as soon as that is possible.')
  return { user, channelId, messageId, text }
}

it('an answer whose end the device has no room for stays in sight, is marked, and leaves the chat usable', async () => {
  const { channelId, messageId, text } = await answerThatCannotBeStored()
  expect(screen.getByText(text)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  // Another tab could take it over.
  expect(await withTabLock(answerLock(messageId), async () => 'free')).toBe('free')
  expect(await localChannels.message(channelId, messageId)).not.toMatchObject({ status: 'completed' })
})

it.each([
  ['the network is back', async () => void dispatchEvent(new Event('online'))],
  ['somebody asks for it', async (press: () => Promise<void>) => press()],
])('it is stored as soon as there is room and %s', async (_when, cause) => {
  const { user, channelId, messageId, text } = await answerThatCannotBeStored()
  vi.restoreAllMocks()
  await cause(() => user.click(screen.getByRole('button', { name: 'Try again' })))
  await waitFor(() => expect(screen.queryByText(/^Not saved yet/)).toBeNull())
  expect(await localChannels.message(channelId, messageId)).toMatchObject({
    status: 'completed',
    chat_response: { content: text },
  })
  expect(screen.getByText(text)).toBeTruthy()
  expect(await outbox.list()).toEqual([])
})

it('is gone with its message when that is deleted', async () => {
  const { user, channelId, messageId } = await answerThatCannotBeStored()
  vi.restoreAllMocks()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Ok' }))
  // The mark alone says little: it also goes when the answer is saved before the press.
  await waitFor(async () => expect(await localChannels.message(channelId, messageId)).toBeUndefined())
  await waitFor(() => expect(screen.queryByText(/^Not saved yet/)).toBeNull())
  expect(await outbox.list()).toEqual([])
  // The keyboard goes on in the chat.
  expect(document.activeElement).toBe(screen.getByRole('log'))
})
