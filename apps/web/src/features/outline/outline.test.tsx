import type { Message } from '@parley/contract/chat'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { outlinePanel } from './outline-state'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  outlinePanel.close()
  vi.restoreAllMocks()
  await cleanUp()
})

const said = (channelId: string, mId: string, fields: Partial<Message> = {}): Message => ({
  ...{ mId, channelId, chat_request: `Question ${mId}`, status: 'completed', datetime: new Date().toISOString() },
  chat_response: { role: 'assistant', content: 'Yes.' },
  ...fields,
})

/** A chat of this device with two versions of its second question; the second one is shown. */
async function aBranchedChat() {
  const [lease] = await seedChannels('Lease clauses')
  const channelId = lease?.id ?? ''
  await localChannels.put(said(channelId, 'a'))
  await localChannels.put(said(channelId, 'b'))
  await localChannels.put(said(channelId, 'c'))
  await localChannels.put(said(channelId, 'b2', { afterRunId: 'a' }))
  const view = await renderScreen(`/app#${channelId}`)
  await view.user.click(await screen.findByRole('button', { name: 'Outline' }))
  const tree = await screen.findByRole('tree')
  const rows = () =>
    within(tree)
      .getAllByRole('treeitem')
      .map((row) => row.getAttribute('aria-label'))
  return { ...view, channelId, tree, rows }
}

it('shows every question, and where the branches are', async () => {
  const { rows } = await aBranchedChat()
  await waitFor(() =>
    expect(rows()).toEqual([
      '1, Question a',
      '2, Question b2, version 2 of 2',
      'Question b, 2 answers',
      'Question b2, here',
    ]),
  )
  expect(screen.getByText('4 questions, 1 with versions')).toBeTruthy()
})

it('a question that is asked while it is open is in it at once, and counted', async () => {
  const { rows, channelId } = await aBranchedChat()
  await screen.findByText('4 questions, 1 with versions')
  const read = vi.spyOn(localChannels, 'outline')
  await localChannels.put(said(channelId, 'd'))
  await waitFor(() => expect(rows()).toContain('3, Question d'))
  expect(screen.getByText('5 questions, 1 with versions')).toBeTruthy()
  expect(read).not.toHaveBeenCalled()
})

it('goes to another version and back to the main line, and tells of a failure', async () => {
  const { user, tree, rows } = await aBranchedChat()
  await waitFor(() => expect(document.activeElement).toBe(tree))
  await user.keyboard('{End}{ArrowUp}{Enter}')
  await waitFor(() => expect(rows()).toContain('3, Question c'))
  expect(await screen.findByText('Question c', { selector: '[data-question] *' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Back to the main line' })).toBeNull()

  await user.keyboard('{End}{ArrowUp}')
  const failing = vi.spyOn(localChannels, 'show').mockRejectedValueOnce(new Error('gone'))
  await user.click(within(tree).getByRole('treeitem', { name: /^Question b2/ }))
  await screen.findByText('An error occurred. Try again.')
  failing.mockRestore()
  await user.click(within(tree).getByRole('treeitem', { name: /^Question b2/ }))
  await user.click(await screen.findByRole('button', { name: 'Back to the main line' }))
  await waitFor(() => expect(rows()).toContain('3, Question c'))
})

it('deletes a branch with all that follows it only when the person agrees', async () => {
  const { user, tree, rows, channelId } = await aBranchedChat()
  await waitFor(() => expect(document.activeElement).toBe(tree))
  await user.keyboard('{End}{ArrowUp}{Delete}')
  await screen.findByText('Delete this branch? Its 2 questions and their answers are deleted.')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(rows()).toHaveLength(4))
  tree.focus()
  await user.keyboard('{Delete}')
  await user.click(await screen.findByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(rows()).toEqual(['1, Question a', '2, Question b2']))
  expect((await localChannels.outline(channelId)).map(({ mId }) => mId)).toEqual(['a', 'b2'])
})

it('a locked chat offers no deletion', async () => {
  const { user, tree, channelId } = await aBranchedChat()
  await localChannels.setLocked(channelId, true)
  await waitFor(() => expect(within(tree).queryAllByRole('button', { name: 'Delete this branch' })).toHaveLength(0))
  tree.focus()
  await user.keyboard('{End}{ArrowUp}{Delete}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
