import type { OutlineEntry } from '@parley/contract/branches'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { outlinePanel } from './outline-state'

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})
afterEach(async () => {
  outlinePanel.close()
  await cleanUp()
  forgetSession()
})

const at = '2026-01-05T12:00:00.000Z'
const theirs: Channel = {
  ...{ id: 'theirs', userId: 'u2', channelName: 'Plans', assistantId: null, source: 'postgresql', ownerName: 'ana' },
  ...{ isDocument: false, isImage: false, isYoutube: false, isLocked: false, isLocalChannel: false },
  ...{ created_at: at, updated_at: at },
}
const ana = { author: { name: 'ana' } }

/** What may be asked after the first question. What the reader asks has no author. */
const byCar = { mId: 'car', text: 'By car?', ...ana }
const byTrain = { mId: 'train', text: 'By train?', ...ana }
const byBus = { mId: 'bus', text: 'By bus?' }

/** Ana's chat with versions of its second question, in which the reader has this role. The first one is shown. */
async function aSharedChat(role: 'read' | 'write', versions: Pick<OutlineEntry, 'mId' | 'text' | 'author'>[]) {
  const server = { head: versions[0]?.mId }
  const entries = (): OutlineEntry[] => [
    { mId: 'trip', afterMId: null, text: 'Shall we travel?', datetime: at, isShown: true, ...ana },
    ...versions.map((each) => ({ ...each, afterMId: 'trip', datetime: at, isShown: each.mId === server.head })),
  ]
  const path = (): Message[] =>
    entries().flatMap(({ mId, afterMId, text, isShown, ...by }) =>
      isShown
        ? {
            ...{ ...by, mId, channelId: theirs.id, chat_request: text, status: 'completed', afterRunId: afterMId },
            chat_response: { role: 'assistant', content: 'Yes.' },
          }
        : [],
    )
  const { user } = await renderScreen(`/app#${theirs.id}`, {
    answers: {
      'GET /api/channel': () => ({ status: 200, body: { channels: [{ ...theirs, role }], documents: [] } }),
      'GET /api/channel/theirs': () => ({ status: 200, body: { ...theirs, role } }),
      'GET /api/channel/theirs/outline': () => ({ status: 200, body: { entries: entries() } }),
      'GET /api/chat/documents/0/50/theirs': () => ({
        status: 200,
        body: { content: path(), page: 0, size: 50, total: path().length },
      }),
      'PUT /api/channel/theirs/head': (body) => {
        server.head = (body as { mId: string }).mId
        return { status: 204 }
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Outline' }))
  const tree = within(await screen.findByRole('tree'))
  const row = (name: RegExp) => tree.findByRole('treeitem', { name })
  return { user, tree, row }
}

const canDelete = (row: HTMLElement) => within(row).queryByRole('button', { name: 'Delete this branch' }) !== null
/** The exchange of a question in the chat. */
const exchange = (question: string) =>
  within(screen.getByRole('log'))
    .getAllByRole('article')
    .find(({ textContent }) => textContent?.includes(question))

it('members delete only branches of their own', async () => {
  const { row } = await aSharedChat('write', [byCar, byTrain, byBus])
  expect(canDelete(await row(/^By bus\?, 1 answer$/))).toBe(true)
  expect(canDelete(await row(/^By train\?, /))).toBe(false)
  expect(canDelete(await row(/^By car\?, here, ana/))).toBe(false)
  // And they may pin.
  expect((await screen.findAllByRole('button', { name: 'Always send along' })).length).toBeGreaterThan(0)
})

it('whoever only reads a chat goes through its outline, and neither deletes nor pins', async () => {
  const { user, tree, row } = await aSharedChat('read', [byCar, byTrain])
  await row(/^2, By car\?, version 1 of 2/)
  expect(tree.queryByRole('button', { name: 'Delete this branch' })).toBeNull()
  await user.click(await row(/^By train\?, /))
  await waitFor(() => expect(exchange('By train?')?.contains(document.activeElement)).toBe(true))
  await row(/^2, By train\?, version 2 of 2/)
  expect(screen.getAllByRole('button', { name: 'Copy' }).length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: 'Always send along' })).toBeNull()
  expect(tree.queryByRole('button', { name: 'Delete this branch' })).toBeNull()
})

it('of 3,000 questions what is on the screen is drawn, and the first is a moment away', async () => {
  const entries: OutlineEntry[] = Array.from({ length: 3_000 }, (_, n) => ({
    ...{ mId: `q${n}`, afterMId: n === 0 ? null : `q${n - 1}`, text: `Question ${n}`, datetime: at, isShown: true },
  }))
  const message = (n: number): Message => ({
    ...{ mId: `q${n}`, channelId: theirs.id, chat_request: `Question ${n}`, status: 'completed', datetime: at },
    ...{ afterRunId: n === 0 ? null : `q${n - 1}`, chat_response: { role: 'assistant', content: 'Yes.' } },
  })
  const window = (first: number) => Array.from({ length: 50 }, (_, n) => message(first + n))
  const around: (string | null)[] = []
  const { user } = await renderScreen(`/app#${theirs.id}`, {
    answers: {
      'GET /api/channel': () => ({ status: 200, body: { channels: [theirs], documents: [] } }),
      'GET /api/channel/theirs': () => ({ status: 200, body: theirs }),
      'GET /api/channel/theirs/outline': () => ({ status: 200, body: { entries } }),
      'GET /api/chat/documents/0/50/theirs': (_body, query) => {
        const place = query.get('around')
        around.push(place)
        const content = window(place === null ? 2_950 : 0)
        return { status: 200, body: { content, page: 0, size: 50, total: 3_000 } }
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Outline' }))
  const tree = await screen.findByRole('tree')
  await within(tree).findByRole('treeitem', { name: /^3,?000, Question 2999$/ })
  expect(within(tree).getAllByRole('treeitem').length).toBeLessThan(80)
  tree.focus()
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(within(tree).getByRole('treeitem', { selected: true }).getAttribute('aria-label')).toMatch(/Question 2997$/)
  await user.keyboard('{Home}')
  expect((await within(tree).findByRole('treeitem', { selected: true })).getAttribute('aria-label')).toBe(
    '1, Question 0',
  )
  await user.keyboard('{Enter}')
  await waitFor(() => expect(exchange('Question 0')?.contains(document.activeElement)).toBe(true))
  // Neither what lies between nor all of it.
  expect(around).toEqual([null, 'q0'])
})
