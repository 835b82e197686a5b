import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTemporary } from '../../data/channels/temporary-chats'
import { configQuery } from '../../data/config/use-config'
import { currentScope } from '../../data/scope/scope'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { sourceDialog } from './dialogs-state'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  sourceDialog.close()
  forgetSession()
  await cleanUp()
})

const offer = { config: { vectors: { model: 'meaning-1' } } }

async function theDialog(channelId: string, options: Parameters<typeof renderScreen>[1] = offer) {
  const view = await renderScreen(`/app#${channelId}`, options)
  await screen.findByRole('textbox', { name: 'Message' })
  // What the server offers is known before the dialog opens.
  await vi.waitFor(() =>
    expect(currentScope().environment.queryClient?.getQueryData(configQuery.queryKey)).toBeTruthy(),
  )
  sourceDialog.open('manage', channelId)
  const dialog = await screen.findByRole('dialog', { name: 'Data management' })
  return { ...view, dialog, find: () => within(dialog).queryByRole('switch', { name: 'Search by meaning too' }) }
}

it('is off until the person switches it on, says what leaves the device, and is theirs alone on it', async () => {
  await seedSession()
  const [channel] = await seedChannels('Lease')
  const { user, dialog, find, unmount } = await theDialog(channel?.id ?? '')
  const control = await within(dialog).findByRole('switch', { name: 'Search by meaning too' })
  expect(control.getAttribute('aria-checked')).toBe('false')
  expect(
    within(dialog).getByText(/^Passages of your files .* are sent .* the server keeps nothing of them\.$/),
  ).toBeTruthy()
  await user.click(control)
  expect(find()?.getAttribute('aria-checked')).toBe('true')
  // At once, with nothing to save.
  expect(within(dialog).getByRole('button', { name: 'Save changes' })).toHaveProperty('disabled', true)
  unmount()
  sourceDialog.close()
  const again = await theDialog(channel?.id ?? '')
  await within(again.dialog).findByRole('switch', { name: 'Search by meaning too', checked: true })
  again.unmount()
  sourceDialog.close()
  await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000002', email: 'rui@example.com' }))
  const [other] = await seedChannels('Budget')
  const ofOther = await theDialog(other?.id ?? '')
  await within(ofOther.dialog).findByRole('switch', { name: 'Search by meaning too', checked: false })
})

it('is not there where the server has no model for it, and gone with whoever signs out', async () => {
  await seedSession()
  const [channel] = await seedChannels('Notes')
  const without = await theDialog(channel?.id ?? '', {})
  await within(without.dialog).findByText('No sources yet')
  expect(without.find()).toBeNull()
  without.unmount()
  sourceDialog.close()
  const { dialog, find } = await theDialog(channel?.id ?? '')
  await within(dialog).findByRole('switch', { name: 'Search by meaning too' })
  act(forgetSession)
  expect(find()).toBeNull()
})

it('is not there in a temporary chat', async () => {
  await seedSession()
  const [channel] = await seedChannels('Letters')
  const { dialog, router } = await theDialog(channel?.id ?? '')
  await within(dialog).findByRole('switch', { name: 'Search by meaning too' })
  sourceDialog.close()
  const { store } = await openTemporary()
  const { id } = await store.create({ assistantId: null })
  await act(() => router.navigate(`/app#${id}`))
  await vi.waitFor(() => {
    act(() => sourceDialog.open('manage', id))
    expect(screen.getByRole('dialog', { name: 'Data management' })).toBeTruthy()
  })
  expect(await screen.findByText('No sources yet')).toBeTruthy()
  expect(screen.queryByRole('switch', { name: 'Search by meaning too' })).toBeNull()
})
