import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { type Answers, cardOf, me, openPage } from '../../testing/marketplace'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { someAgent } from '../../testing/some-agents'

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  closeLoginPanel()
  useAgentEditor.setState({ open: undefined })
  await cleanUp()
  forgetSession()
})

describe('a like', () => {
  /** A server whose answer to the next like comes when the test says so. */
  function slowLikes() {
    const calls: string[] = []
    let answer: (status: number, body: object) => void = () => undefined
    const waiting = (kind: string) => (body: unknown) => {
      calls.push(`${kind} ${JSON.stringify(body)}`)
      return new Promise<{ status: number; body: object }>((resolve) => {
        answer = (status, answered) => resolve({ status, body: answered })
      })
    }
    const answers: Answers = {
      'POST /v1/assistants/likes': waiting('like'),
      'DELETE /v1/assistants/likes': waiting('unlike'),
    }
    return { answers, calls, answer: (status: number, body: object) => answer(status, body) }
  }
  const likeButton = async () => within(await cardOf('Lighthouse keeper')).getByRole('button', { name: /^Like/ })
  const state = async () => {
    const button = await likeButton()
    return [button.textContent, button.getAttribute('aria-pressed'), button.getAttribute('aria-busy')]
  }
  const sent = `{"assistantId":"keeper","userId":"${me}"}`

  it('shows at once, takes no second click while it is under way, and is taken back by the next [AG-076, AG-077, AG-078]', async () => {
    await seedSession()
    const server = slowLikes()
    const { user } = await openPage({ community: [someAgent()] }, server.answers)
    expect(await state()).toEqual(['3', 'false', null])
    await user.click(await likeButton())
    expect(await state()).toEqual(['4', 'true', 'true'])
    await user.click(await likeButton())
    expect(server.calls).toEqual([`like ${sent}`])
    server.answer(200, { likes: 8, likedByMe: true })
    await waitFor(async () => expect(await state()).toEqual(['8', 'true', null]))
    expect(JSON.parse(localStorage.getItem('likesArray') ?? '')).toMatchObject([
      { user_id: me, flag_like: true, flag_dislike: false, id_assistant: 'keeper', cont_likes: 8 },
    ])
    await user.click(await likeButton())
    expect(await state()).toEqual(['7', 'false', 'true'])
    server.answer(200, { likes: 7, likedByMe: false })
    await waitFor(async () => expect(await state()).toEqual(['7', 'false', null]))
    expect(server.calls).toEqual([`like ${sent}`, `unlike ${sent}`])
  })

  it('that the server refuses is taken back, and the reason told', async () => {
    await seedSession()
    const server = slowLikes()
    const { user } = await openPage({ community: [someAgent({ likedByMe: true })] }, server.answers)
    expect(await state()).toEqual(['3', 'true', null])
    await user.click(await likeButton())
    expect(await state()).toEqual(['2', 'false', 'true'])
    server.answer(403, { success: false, code: 'agent.private', message: 'Private assistant', status: 403 })
    await waitFor(async () => expect(await state()).toEqual(['3', 'true', null]))
    expect(await screen.findByText('Private assistant')).toBeTruthy()
    expect(JSON.parse(localStorage.getItem('likesArray') ?? '')).toEqual([])
  })

  it('of before is known by what the browser kept, else by the answer [AG-078, AG-079]', async () => {
    await seedSession()
    const record = {
      user_id: me,
      flag_like: true,
      flag_dislike: false,
      id_assistant: 'keeper',
      timestamp: Date.now() + 60_000,
      cont_likes: 12,
    }
    localStorage.setItem('likesArray', JSON.stringify([{ ...record, timestamp: Date.now() - 4_800_001 }]))
    refreshAgentCaches()
    const { unmount } = await openPage({ community: [someAgent({ likedByMe: true })] })
    expect(await state()).toEqual(['3', 'true', null])
    unmount()
  })

  it('of a visitor asks them to sign in', async () => {
    const { user } = await openPage({ community: [someAgent()] })
    await user.click(await likeButton())
    expect(useLoginPanel.getState().view).toBe('sign-in')
    expect(await state()).toEqual(['3', 'false', null])
  })
})
