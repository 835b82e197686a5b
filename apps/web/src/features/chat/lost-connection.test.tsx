import type { ServerFrame } from '@parley/contract/chat'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

const line = aChatLine()
beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  line.setDown(false)
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

const note = 'The connection was lost. The answer goes on when it is back.'

/** An answer is being written when the network goes, and three reconnects fail. */
async function anAnswerWithoutConnection() {
  const [lease] = await seedChannels('Lease clauses')
  const channelId = lease?.id ?? ''
  const { user } = await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'What is a lien?{Enter}')
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const push = (frame: object): void => line.push({ messageId, mId: messageId, ...frame } as ServerFrame)
  push({ event: 'accepted', seq: 1, model: 'm' })
  push({ event: 'content', seq: 2, content: 'A right' })
  await screen.findByText('A right')
  line.setDown(true)
  line.drop()
  await screen.findByText(note, {}, { timeout: 15_000 })
  return { user, channelId, messageId, push }
}

it('after three failed reconnects the chat is as before the question, marked, and the question can be sent again [ST-084, ST-090]', async () => {
  const { user, messageId } = await anAnswerWithoutConnection()
  expect(screen.getByText('A right')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()

  await user.click(screen.getByRole('button', { name: 'Resend' }))
  line.setDown(false)
  dispatchEvent(new Event('online'))
  await waitFor(
    () => expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?', 'What is a lien?']),
    { timeout: 10_000 },
  )
  expect(line.questions()[1]?.messageId).not.toBe(messageId)
  // As the specification has the frame.
  expect(line.questions()[1]).toMatchObject({ typeChat: {} })
  // The first run costs nothing more.
  expect(line.sent()).toContainEqual({ event: 'stop-message', messageId })
})

it('an answer goes on by itself when the connection is back', async () => {
  const { channelId, messageId, push } = await anAnswerWithoutConnection()
  line.setDown(false)
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(line.sent()).toContainEqual({ event: 'resume', messageId, afterSeq: 2 }), {
    timeout: 10_000,
  })
  push({ event: 'content', seq: 3, content: ' to keep' })
  expect(await screen.findByText('A right to keep')).toBeTruthy()
  expect(screen.queryByText(note)).toBeNull()
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  expect(await localChannels.message(channelId, messageId)).toMatchObject({ chat_request: 'What is a lien?' })
})
