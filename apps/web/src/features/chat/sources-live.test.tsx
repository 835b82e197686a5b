// What comes back of the sources of a question while its answer is written, over the fake socket and the real storage.
import type { ServerFrame } from '@parley/contract/chat'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { addFiles } from '../../data/channels/source-actions'
import { dropAnswers } from '../../data/chat/send-message'
import { aFile } from '../../data/sources/source-store-suite'
import { InPageReader } from '../../testing/in-page-reader'
import { box, line } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  line.forget()
  vi.stubGlobal('Worker', InPageReader)
})
afterEach(async () => {
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

/** A chat with one answered question and a source, in which another question was asked with it. */
async function anAskedChat() {
  const [channel] = await seedChannels('Lease')
  const channelId = channel?.id ?? ''
  await localChannels.put({
    ...{ mId: 'before', channelId, chat_request: 'Hello', status: 'completed', datetime: new Date(0).toISOString() },
    chat_response: { role: 'assistant', content: 'Good day.' },
  })
  const { user } = await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await screen.findByText('Good day.')
  await act(() => addFiles(channelId, [aFile()]))
  await user.type(await box(), 'What is the rent?{Enter}')
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const [asked] = line.questions()
  const messageId = asked?.messageId ?? ''
  const [file] = asked?.files ?? []
  let seq = 0
  const push = (frame: object) => line.push({ messageId, mId: messageId, seq: ++seq, ...frame } as ServerFrame)
  return { channelId, messageId, asked, file, push }
}

it('draws a citation while the answer grows, and touches nothing else of the chat for it [ST-067, ST-085]', async () => {
  const { asked, file, push } = await anAskedChat()
  expect(asked).toMatchObject({ typeChat: { prefix: 'document' }, files: [{ name: 'lease.txt' }] })
  push({ event: 'accepted', model: 'm' })
  push({ event: 'file', part: { ...file, reading: 'whole', sent: 1, of: 1 } })
  push({ event: 'content', content: 'It is 900 [1], ' })
  const passage = 'The rent is 900.'
  push({ event: 'source', part: { type: 'source', n: 1, title: 'lease.txt', fileId: file?.fileId, passage } })
  const chip = await screen.findByRole('button', { name: 'Source 1' })
  expect(screen.getByText('Read: all of lease.txt')).toBeTruthy()

  const other = document.querySelector('[data-message-id="before"]')
  if (!other) throw new Error('the message before is not shown')
  const changes: MutationRecord[] = []
  const observers = [other, chip].map((node) => {
    const observer = new MutationObserver((records) => changes.push(...records))
    observer.observe(node, { childList: true, subtree: true, characterData: true, attributes: true })
    return observer
  })
  push({ event: 'content', content: 'and not [2].' })
  await screen.findByText(/and not \[2\]/)
  for (const observer of observers) observer.disconnect()
  expect(changes).toEqual([])
  expect(screen.getByRole('button', { name: 'Source 1' })).toBe(chip)
})

it('keeps what an answer cites whose node died before it could tell', async () => {
  const { channelId, messageId, push } = await anAskedChat()
  push({ event: 'accepted', model: 'm' })
  push({ event: 'content', content: 'It is 900 [1], or [5].' })
  await screen.findByText(/It is 900/)
  expect(screen.queryByRole('button', { name: 'Source 1' })).toBeNull()
  push({ event: 'error', code: 'chat.interrupted', content: 'It broke off.' })
  expect(await screen.findByRole('button', { name: 'Source 1' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Source 5' })).toBeNull()
  expect(screen.getByText('Read: all of lease.txt')).toBeTruthy()
  expect(await localChannels.message(channelId, messageId)).toMatchObject({
    status: 'interrupted',
    sources: [{ n: 1, title: 'lease.txt', passage: expect.stringContaining('900') }],
    read: [{ name: 'lease.txt', reading: 'whole' }],
  })
})
