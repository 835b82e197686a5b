import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { asked, line } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

/** A chat with one question, and the focus on a button of its answer. */
async function onTheButton(name: string, fields: Partial<Message>) {
  const [channel] = await seedChannels('Lease clauses')
  const mId = uuidv7()
  await localChannels.put({
    ...{ mId, channelId: channel?.id ?? '', chat_request: 'One', datetime: new Date(0).toISOString() },
    ...{ status: 'completed', chat_response: { role: 'assistant', content: 'Of one' } },
    run: { messageId: mId, seq: 3, base: 0 },
    ...fields,
  })
  const { user } = await renderScreen(`/app#${channel?.id}`, { answers: line.answers })
  const button = await screen.findByRole('button', { name })
  button.focus()
  return { user, button }
}

describe('whoever presses a button with the keyboard keeps a place in the chat: after', () => {
  it.each<[string, Partial<Message>]>([
    ['Regenerate', {}],
    ['Resend', { status: 'failed', error: { code: 'llm.failed', content: 'It broke.' } }],
    ['Continue', { status: 'interrupted' }],
  ])('%s it is the exchange', async (name, fields) => {
    const { user, button } = await onTheButton(name, fields)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(asked()).toHaveLength(1))
    await waitFor(() => expect(button.isConnected).toBe(false))
    expect(document.activeElement?.tagName).toBe('ARTICLE')
    expect(document.activeElement?.textContent).toContain('One')
  })

  it('the deletion of a message it is the list of them', async () => {
    const { user } = await onTheButton('Delete', {})
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    await waitFor(() => expect(screen.queryByText('Of one')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('log')))
  })
})
