import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftsAreStored } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { openDevice } from '../../data/vault/open-device'
import { asked, beginAnswer, line } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { editing } from './edit-state'

beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  vi.restoreAllMocks()
  editing.end()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await draftsAreStored()
  await cleanUp()
})

/** Versions stand in the order in which they were asked. */
let asks = 0

const message = (channelId: string, text: string, fields: Partial<Message> = {}): Message => {
  const mId = uuidv7()
  return {
    ...{ mId, channelId, chat_request: text, datetime: new Date(++asks * 1_000).toISOString(), status: 'completed' },
    chat_response: { role: 'assistant', content: `Of ${text}` },
    run: { messageId: mId, seq: 3, base: 0 },
    ...fields,
  }
}

/** A chat whose second question has another version, which is shown, and a third that follows the first version. */
async function aChat(fields: Partial<Message> = {}) {
  const [channel] = await seedChannels('Lease clauses')
  const channelId = channel?.id ?? ''
  const [one, two, three] = ['One', 'Two', 'Three'].map((text) => message(channelId, text))
  if (!one || !two || !three) throw new Error('no messages')
  const edited = message(channelId, 'Edited', { afterRunId: one.mId, ...fields })
  for (const each of [one, two, three, edited]) await localChannels.put(each)
  return { channelId, one, two, three, edited }
}

const open = (channelId: string) => renderScreen(`/app#${channelId}`, { answers: line.answers })
const questions = () => [...document.querySelectorAll('[data-question] [dir=auto]')].map((each) => each.textContent)
const group = () => screen.findByRole('group', { name: 'Versions of the question' })
const step = async (name: 'Previous' | 'Next') =>
  within(await group()).getByRole<HTMLButtonElement>('button', { name: `${name} version` })
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edited question' })
const articleOf = (text: string) => screen.getByText(text).closest<HTMLElement>('article') as HTMLElement

describe('versions of a question', () => {
  it('are counted where there are two, and nowhere else; beyond the last one nothing happens', async () => {
    const { channelId } = await aChat()
    const { user } = await open(channelId)
    expect((await group()).textContent).toContain('2/2')
    expect(screen.getAllByRole('group', { name: /^Versions of/ })).toHaveLength(1)
    const next = await step('Next')
    expect(next.getAttribute('aria-disabled')).toBe('true')
    await user.click(next)
    expect(questions()).toEqual(['One', 'Edited'])
    await user.click(await step('Previous'))
    await waitFor(() => expect(questions()).toEqual(['One', 'Two', 'Three']))
    expect((await group()).textContent).toContain('1/2')
  })

  it('stay where they were, with a word about it, when the other one cannot be shown', async () => {
    const { channelId } = await aChat()
    const { user } = await open(channelId)
    await group()
    vi.spyOn(localChannels, 'show').mockRejectedValueOnce(new Error('no'))
    await user.click(await step('Previous'))
    expect(await screen.findByText('An error occurred. Try again.')).toBeTruthy()
    expect(questions()).toEqual(['One', 'Edited'])
  })

  it('are reached where so much follows the other one that it is not among the newest messages', async () => {
    const { channelId, two } = await aChat()
    await localChannels.show(channelId, { mId: two.mId })
    for (let n = 1; n <= 60; n++) await localChannels.put(message(channelId, `More ${n}`))
    const edited = (await localChannels.message(channelId, two.mId))?.versions?.questions?.find(
      (mId) => mId !== two.mId,
    )
    await localChannels.show(channelId, { mId: edited ?? '' })
    const { user } = await open(channelId)
    await user.click(await step('Previous'))
    expect(await screen.findByText('Two')).toBeTruthy()
    await waitFor(async () => expect((await group()).textContent).toContain('1/2'))
    expect(questions()).not.toContain('Edited')
  })

  it('include one that cannot be read, which says so, and beside which others are asked', async () => {
    const { channelId, two } = await aChat()
    const { db } = await openDevice()
    for (const record of await db.getAll('exchanges'))
      if (record.id === two.mId) await db.put('exchanges', { ...record, c: new Uint8Array(record.c).fill(7).buffer })
    const before = (await db.getAll('exchanges')).find(({ id }) => id === two.mId)
    const { user } = await open(channelId)
    await user.click(await step('Previous'))
    expect(await screen.findByText(/^This message cannot be read on this device/)).toBeTruthy()
    expect((await group()).textContent).toContain('1/2')
    expect(
      within((await group()).closest('article') as HTMLElement).queryByRole('button', { name: 'Edit question' }),
    ).toBeNull()
    await user.click(await step('Next'))
    await waitFor(() => expect(questions()).toEqual(['One', 'Edited']))
    await user.click(within(articleOf('Edited')).getByRole('button', { name: 'Edit question' }))
    await user.clear(await field())
    await user.type(await field(), 'Third{Enter}')
    await waitFor(() => expect(asked()).toEqual(['Third']))
    await waitFor(async () => expect((await group()).textContent).toContain('3/3'))
    expect((await db.getAll('exchanges')).find(({ id }) => id === two.mId)).toEqual(before)
  })

  it('change with [ and ] where a message has the focus, and not where one writes or commands', async () => {
    const { channelId } = await aChat()
    await open(channelId)
    await group()
    const article = articleOf('Edited')
    article.focus()
    fireEvent.keyDown(article, { key: '[', ctrlKey: true })
    fireEvent.keyDown(article, { key: ']' })
    fireEvent.keyDown(articleOf('One'), { key: '[' })
    expect(questions()).toEqual(['One', 'Edited'])
    fireEvent.keyDown(article, { key: '[' })
    await waitFor(() => expect(questions()).toEqual(['One', 'Two', 'Three']))
    await waitFor(() => expect(document.activeElement).toBe(articleOf('Two')))
  })
})

describe('editing a question', () => {
  const begin = async (fields: Partial<Message> = {}) => {
    const chat = await aChat(fields)
    const view = await open(chat.channelId)
    await group()
    await view.user.click(within(articleOf('Edited')).getByRole('button', { name: 'Edit question' }))
    const box = await field()
    const form = within(box.closest('form') as HTMLElement)
    return { ...chat, ...view, box, send: () => form.getByRole<HTMLButtonElement>('button', { name: 'Send' }), form }
  }

  it('sends neither nothing nor the same, and Escape leaves it as it was', async () => {
    const { user, box, send } = await begin()
    expect(box.value).toBe('Edited')
    expect(document.activeElement).toBe(box)
    expect(send().disabled).toBe(true)
    await user.type(box, '  ')
    expect(send().disabled).toBe(true)
    await user.clear(box)
    expect(send().disabled).toBe(true)
    await user.type(box, 'More{Shift>}{Enter}{/Shift}lines')
    expect(box.value).toBe('More\nlines')
    expect(send().disabled).toBe(false)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edited question' })).toBeNull())
    expect([questions(), asked()]).toEqual([['One', 'Edited'], []])
    await waitFor(() =>
      expect(document.activeElement).toBe(within(articleOf('Edited')).getByRole('button', { name: 'Edit question' })),
    )
  })

  it('keeps what was typed where it cannot be sent', async () => {
    const { user, box, channelId, edited } = await begin()
    vi.spyOn(localChannels, 'put').mockRejectedValueOnce(new Error('no room'))
    await user.type(box, ' twice{Enter}')
    expect(await screen.findByText('Error sending message')).toBeTruthy()
    expect((await field()).value).toBe('Edited twice')
    expect((await localChannels.messages(channelId)).messages.at(-1)?.mId).toBe(edited.mId)
    await user.type(await field(), '{Enter}')
    await waitFor(() => expect(asked()).toEqual(['Edited twice']))
  })

  it('asks the new version while the other one is not written any more', async () => {
    const { user, box } = await begin()
    await user.type(box, ' again{Enter}')
    const first = await beginAnswer('Half an ans')
    await user.click(within(articleOf('Edited again')).getByRole('button', { name: 'Edit question' }))
    await user.type(await field(), ', shorter{Enter}')
    await waitFor(() => expect(line.sent()).toContainEqual({ event: 'stop-message', messageId: first.messageId }))
    expect(asked()).toEqual(['Edited again'])
    await first.stopped()
    await waitFor(() => expect(asked()).toEqual(['Edited again', 'Edited again, shorter']))
    await waitFor(async () => expect((await group()).textContent).toContain('4/4'))
    await user.click(await step('Previous'))
    expect(await screen.findByText('Stopped by you')).toBeTruthy()
    expect(screen.getByText('Half an ans')).toBeTruthy()
  })
})

it('another person’s question can be read in all its versions, but neither edited nor asked again', async () => {
  const { channelId } = await aChat({ author: { name: 'Bea' } })
  await open(channelId)
  await group()
  const article = within(articleOf('Edited'))
  expect(await article.findByRole('button', { name: 'Branch from here' })).toBeTruthy()
  for (const name of ['Edit question', 'Regenerate', 'Other ways to answer'])
    expect(article.queryByRole('button', { name })).toBeNull()
})

it('an answer that is being written is not taken for the version that somebody looks at meanwhile', async () => {
  const { channelId, edited } = await aChat()
  const { user } = await open(channelId)
  await group()
  await user.click(within(articleOf('Edited')).getByRole('button', { name: 'Regenerate' }))
  const second = await beginAnswer('Second, in part')
  const answers = await screen.findByRole('group', { name: 'Versions of the answer' })
  expect(answers.textContent).toContain('2/2')
  await user.click(within(answers).getByRole('button', { name: 'Previous version' }))
  expect(await screen.findByText('Of Edited')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Second, in part')).toBeNull())
  // It can still be stopped.
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  await second.complete()
  await waitFor(async () => expect(await outbox.list()).toEqual([]))
  expect(screen.getByText('Of Edited')).toBeTruthy()
  expect((await localChannels.message(channelId, edited.mId, second.messageId))?.chat_response.content).toBe(
    'Second, in part',
  )
})
