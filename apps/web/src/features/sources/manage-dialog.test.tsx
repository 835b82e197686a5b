import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { canChangeSources } from '../../data/channels/capabilities'
import { aSource, fakeActions, fakeSources, progress } from '../../testing/fake-sources'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { sourceDialog } from './dialogs-state'

vi.mock('../../data/channels/use-sources', async (original) => ({
  ...(await original()),
  ...(await import('../../testing/fake-sources')).fakeHooks,
}))
vi.mock('../../data/channels/capabilities', async (original) => ({
  ...(await original<typeof import('../../data/channels/capabilities')>()),
  canChangeSources: vi.fn(() => true),
}))
vi.mock('../../data/channels/source-actions', async () => (await import('../../testing/fake-sources')).fakeActions)

beforeEach(() => {
  localStorage.clear()
  vi.clearAllMocks()
})
afterEach(async () => {
  sourceDialog.close()
  fakeSources.setState({ sources: [] })
  await cleanUp()
})

async function theDialog() {
  const [channel] = await seedChannels('Lease')
  fakeSources.setState({
    sources: [
      aSource('lease', { pages: 34 }),
      aSource('budget', { name: 'budget.xlsx', mediaType: 'application/vnd.ms-excel', pages: 3, isActive: false }),
      aSource('site', { type: 'website', url: 'https://www.ibge.gov.br/a', fetchedAt: '2026-11-20T14:02:00Z' }),
      aSource('scan', progress(41, 118)),
      aSource('minutes', { status: 'failed', reason: 'source.damaged' }),
    ],
  })
  const view = await renderScreen(`/app#${channel?.id}`)
  await screen.findByRole('textbox', { name: 'Message' })
  sourceDialog.open('manage', channel?.id ?? '')
  const dialog = await screen.findByRole('dialog', { name: 'Data management' })
  const control = (name: string) => within(dialog).getByRole('switch', { name })
  const save = () => within(dialog).getByRole('button', { name: 'Save changes' })
  return { ...view, dialog, control, save, channelId: channel?.id }
}

it('has a switch for each source, enabled only once it is processed [ST-152, ST-153]', async () => {
  const { dialog, control } = await theDialog()
  expect(
    ['lease.pdf', 'budget.xlsx', 'site.pdf', 'scan.pdf', 'minutes.pdf'].map((name) => {
      const { disabled, ariaChecked } = control(`Use ${name}`) as HTMLButtonElement
      return [disabled, ariaChecked ?? control(`Use ${name}`).getAttribute('aria-checked')]
    }),
  ).toEqual([
    [false, 'true'],
    [false, 'false'],
    [false, 'true'],
    [true, 'false'],
    [true, 'false'],
  ])
  expect(within(dialog).getByText('34 pages · 1.2 MB')).toBeTruthy()
  expect(within(dialog).getByText('3 sheets · 1.2 MB')).toBeTruthy()
  expect(within(dialog).getByText(/^ibge\.gov\.br · fetched /)).toBeTruthy()
  expect(within(dialog).getByText('41 of 118')).toBeTruthy()
  expect(within(dialog).getByText(/^Could not be read: This file is damaged/)).toBeTruthy()
})

it('collects what is switched, and saves it together, only where something changed [ST-153, ST-154, ST-156]', async () => {
  const { user, dialog, control, save, channelId } = await theDialog()
  expect(save()).toHaveProperty('disabled', true)
  expect(within(dialog).getByText('2 of 5 in use')).toBeTruthy()
  await user.click(control('Use lease.pdf'))
  await user.click(control('Use budget.xlsx'))
  await user.click(control('Use site.pdf'))
  await user.click(control('Use site.pdf'))
  expect(within(dialog).getByText('2 changes')).toBeTruthy()
  let finish = (): void => undefined
  fakeActions.saveSwitches.mockImplementationOnce(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  await user.click(save())
  expect(fakeActions.saveSwitches).toHaveBeenCalledExactlyOnceWith(channelId, [
    { id: 'lease', isActive: false },
    { id: 'budget', isActive: true },
  ])
  // Nothing more can be done while it is saving.
  expect(save().getAttribute('aria-disabled')).toBe('true')
  expect(control('Use site.pdf')).toHaveProperty('disabled', true)
  finish()
  expect(await screen.findByText('Jobs updated successfully!')).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Data management' })).toBeNull()
})

it('keeps what was switched where saving fails, and says so [ST-154]', async () => {
  const { user, control, save } = await theDialog()
  await user.click(control('Use lease.pdf'))
  fakeActions.saveSwitches.mockRejectedValueOnce(new Error('no'))
  await user.click(save())
  expect(await screen.findByText('Error when sending content')).toBeTruthy()
  expect(control('Use lease.pdf').getAttribute('aria-checked')).toBe('false')
  expect(save()).toHaveProperty('disabled', false)
})

it('asks before it is left with changes, and before a source is removed [ST-152]', async () => {
  const { user, dialog, control } = await theDialog()
  await user.click(control('Use lease.pdf'))
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  const question = await screen.findByRole('alertdialog', { name: 'Leave without saving the changes?' })
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  await user.click(within(dialog).getByRole('button', { name: 'Remove minutes.pdf' }))
  const removal = await screen.findByRole('alertdialog', { name: 'Remove minutes.pdf from this chat?' })
  await user.click(within(removal).getByRole('button', { name: 'Ok' }))
  expect(await screen.findByText('1 of 4 in use', { exact: false })).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await user.click(
    within(await screen.findByRole('alertdialog', { name: /Leave without/ })).getByRole('button', { name: 'Ok' }),
  )
  expect(screen.queryByRole('dialog', { name: 'Data management' })).toBeNull()
  expect(fakeActions.saveSwitches).not.toHaveBeenCalled()
})

it('shows a member of a shared chat what goes along, and lets the owner alone change it', async () => {
  vi.mocked(canChangeSources).mockReturnValue(false)
  const { dialog, control } = await theDialog()
  expect(await within(dialog).findByText('Only the owner of this channel can do this.')).toBeTruthy()
  expect(within(dialog).getByText('2 of 5 in use')).toBeTruthy()
  expect(control('Use lease.pdf')).toHaveProperty('disabled', true)
  expect(within(dialog).getByRole('button', { name: 'Remove lease.pdf' })).toHaveProperty('disabled', true)
  expect(within(dialog).queryByRole('button', { name: 'Save changes' })).toBeNull()
  // Nor can one be added, or one in the bar be removed.
  expect(screen.queryByRole('button', { name: 'Add sources' })).toBeNull()
  vi.mocked(canChangeSources).mockReturnValue(true)
})
