import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftsAreStored, readDraft, writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { queuedChannels, readQueue } from '../../data/channels/queued-questions'
import { dropAnswers } from '../../data/chat/send-message'
import { asked, beginAnswer, box, line, waiting } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  line.setDown(false)
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  for (const { id } of await localChannels.list()) writeDraft(id, '')
  await draftsAreStored()
  await cleanUp()
})

/** A chat in which the first answer is being written. */
async function anAnswerInProgress() {
  const [lease] = await seedChannels('Lease clauses')
  const channelId = lease?.id ?? ''
  const view = await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await view.user.type(await box(), 'What is a lien?{Enter}')
  const answer = await beginAnswer('A right')
  await screen.findByRole('button', { name: 'Stop' })
  const queue = async (...questions: string[]): Promise<void> => {
    for (const question of questions) {
      await view.user.type(await box(), `${question}{Enter}`)
      await waitFor(async () => expect((await readQueue(channelId)).map(({ text }) => text)).toContain(question))
      await waitFor(async () => expect((await box()).value).toBe(''))
    }
  }
  return { ...view, channelId, answer, queue }
}

const questionsOf = async (channelId: string) =>
  (await localChannels.messages(channelId)).messages.map(({ chat_request }) => chat_request)

describe('while an answer is being written', () => {
  it('questions are queued with the key that sends, and go out one after the other in their order', async () => {
    const { channelId, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?', 'And a bond?')
    await waitFor(() => expect(waiting()).toEqual(['And a pledge?']))
    expect(asked()).toEqual(['What is a lien?'])
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
    await answer.complete()
    const second = await beginAnswer('A thing given', 2)
    await waitFor(() => expect(waiting()).toEqual(['And a bond?']))
    expect(asked()).toEqual(['What is a lien?', 'And a pledge?'])
    await second.complete()
    await beginAnswer('A promise', 3)
    await waitFor(() => expect(waiting()).toEqual([]))
    expect(await questionsOf(channelId)).toEqual(['What is a lien?', 'And a pledge?', 'And a bond?'])
    expect(await readQueue(channelId)).toEqual([])
  })

  it('what is queued goes out after a stop', async () => {
    const { user, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    await answer.stopped()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a pledge?']))
  })

  it('Ctrl Shift Enter stops the answer and sends before what is queued', async () => {
    const { user, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?')
    await user.type(await box(), 'No, a bond?{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await waitFor(() => expect(line.sent()).toContainEqual({ event: 'stop-message', messageId: answer.messageId }))
    expect(asked()).toEqual(['What is a lien?'])
    await answer.stopped()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'No, a bond?']))
    await waitFor(() => expect(waiting()).toEqual(['And a pledge?']))
  })

  it('Send now stops the answer and sends this question first', async () => {
    const { user, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?', 'And a bond?', 'And a deed?')
    await user.click(await screen.findByRole('button', { name: 'and 2 more' }))
    await waitFor(() => expect(waiting()).toEqual(['And a pledge?', 'And a bond?', 'And a deed?']))
    const [, , third] = screen.getAllByRole('button', { name: 'Send now' })
    if (third) await user.click(third)
    await waitFor(() => expect(line.sent()).toContainEqual({ event: 'stop-message', messageId: answer.messageId }))
    await answer.stopped()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a deed?']))
  })

  it('a removed question is not sent, and the keyboard goes on in the box', async () => {
    const { user, channelId, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?', 'And a bond?')
    await screen.findByText('And a pledge?')
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(waiting()).toEqual(['And a bond?']))
    expect(document.activeElement).toBe(await box())
    await answer.complete()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a bond?']))
    expect(await readQueue(channelId)).toEqual([])
  })

  it('is too long a question said to be so, and stays in the box', async () => {
    const { user, channelId } = await anAnswerInProgress()
    await user.click(await box())
    await user.paste('x'.repeat(200_000))
    await user.keyboard('{Enter}')
    await waitFor(async () => expect((await box()).value).toHaveLength(200_000))
    expect(await readQueue(channelId)).toEqual([])
  })
})

describe('editing what is queued', () => {
  it('the arrow up in an empty box takes the first one; nothing is sent meanwhile, and it keeps its place', async () => {
    const { user, channelId, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?', 'And a bond?')
    await user.type(await box(), '{ArrowUp}')
    await waitFor(async () => expect((await box()).value).toBe('And a pledge?'))
    await waitFor(() => expect(waiting()).toEqual(['And a bond?']))
    await answer.complete()
    await waitFor(async () => expect(await outbox.list()).toEqual([]))
    expect(asked()).toEqual(['What is a lien?'])
    await user.type(await box(), ' In Brazil.{Enter}')
    const second = await beginAnswer('A thing given', 2)
    await second.complete()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a pledge? In Brazil.', 'And a bond?']))
    expect(await readQueue(channelId)).toEqual([])
  })

  it('with words in the box keeps them', async () => {
    const { user, channelId, queue } = await anAnswerInProgress()
    await queue('And a pledge?')
    await screen.findByText('And a pledge?')
    await user.type(await box(), 'half a thought')
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    await waitFor(async () => expect((await box()).value).toBe('And a pledge?\n\nhalf a thought'))
    await waitFor(async () => expect(await readQueue(channelId)).toEqual([]))
    expect(await readDraft(channelId)).toBe('And a pledge?\n\nhalf a thought')
  })

  it('that ends with an emptied box lets the others go on', async () => {
    const { user, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?', 'And a bond?')
    await user.type(await box(), '{ArrowUp}')
    await waitFor(async () => expect((await box()).value).toBe('And a pledge?'))
    await answer.complete()
    await user.clear(await box())
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a bond?']))
  })
})

describe('what is queued waits for the person', () => {
  it('after an answer that failed, says why, and goes out with Send now', async () => {
    const { user, channelId, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?')
    answer.fail('chat.provider')
    expect(await screen.findByText('It waits, because the answer before it failed.')).toBeTruthy()
    expect(asked()).toEqual(['What is a lien?'])
    await user.click(screen.getByRole('button', { name: 'Send now' }))
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'And a pledge?']))
    await waitFor(async () => expect(await readQueue(channelId)).toEqual([]))
  })

  it('and goes on by itself when the failed question is answered after all', async () => {
    const { user, answer, queue } = await anAnswerInProgress()
    await queue('And a pledge?')
    answer.fail('chat.provider')
    await screen.findByText('It waits, because the answer before it failed.')
    await user.click(await screen.findByRole('button', { name: 'Resend' }))
    const again = await beginAnswer('A right, after all', 2)
    expect(asked()).toEqual(['What is a lien?', 'What is a lien?'])
    await again.complete()
    await waitFor(() => expect(asked()).toEqual(['What is a lien?', 'What is a lien?', 'And a pledge?']))
  })

  it('after a refusal for want of credits: the refused question stays before it', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const channelId = lease?.id ?? ''
    const { user } = await renderScreen(`/app#${channelId}`, { answers: line.answers })
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(asked()).toHaveLength(1))
    await user.type(await box(), 'And a pledge?{Enter}')
    await waitFor(async () => expect(await readQueue(channelId)).toHaveLength(1))
    line.push({ event: 'no-credits', messageId: line.questions()[0]?.messageId ?? '', content: 'No credits.' })
    expect(await screen.findByText('It waits, because credits are missing.')).toBeTruthy()
    expect([await questionsOf(channelId), asked()]).toEqual([['What is a lien?'], ['What is a lien?']])
    expect(await box()).toHaveProperty('value', '')
  })
})

it.each(['clear', 'remove'] as const)('nothing of a queue is left, or sent, after its chat has met %s', async (end) => {
  const { channelId, queue } = await anAnswerInProgress()
  await queue('And a pledge?')
  await dropAnswers(channelId)
  await localChannels[end](channelId)
  expect(await queuedChannels()).toEqual(new Set())
  await waitFor(() => expect(waiting()).toEqual([]))
  expect(asked()).toEqual(['What is a lien?'])
})

it('a question that the device has no room for is not queued, and stays in the box', async () => {
  const { user, channelId } = await anAnswerInProgress()
  await user.type(await box(), 'And a pledge?')
  await draftsAreStored()
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function putOrRefuse(this: IDBObjectStore, ...args) {
    if (this.name === 'drafts') throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, args)
  })
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/^Your device is out of space/)).toBeTruthy()
  expect([(await box()).value, await readQueue(channelId)]).toEqual(['And a pledge?', []])
})
