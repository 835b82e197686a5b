import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aSource, fakeActions, fakeSources } from '../../testing/fake-sources'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { acceptedFiles } from './accepted-files'
import { sourceDialog } from './dialogs-state'

vi.mock('../../data/channels/use-sources', async (original) => ({
  ...(await original()),
  ...(await import('../../testing/fake-sources')).fakeHooks,
}))
vi.mock('../../data/channels/source-actions', async () => (await import('../../testing/fake-sources')).fakeActions)

beforeEach(() => {
  localStorage.clear()
  vi.clearAllMocks()
})
afterEach(async () => {
  vi.useRealTimers()
  sourceDialog.close()
  fakeSources.setState({ sources: [] })
  await cleanUp()
})

async function theDialog() {
  const [channel] = await seedChannels('Lease')
  const view = await renderScreen(`/app#${channel?.id}`)
  await view.user.click(await screen.findByRole('button', { name: 'Add sources' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add sources' })
  const field = within(dialog).getByRole('textbox', { name: 'Add link' })
  return { ...view, dialog, field, channelId: channel?.id ?? '' }
}

const aFile = (name: string, bytes = 3): File => {
  const file = new File(['abc'], name)
  if (bytes !== 3) Object.defineProperty(file, 'size', { value: bytes })
  return file
}

function drop(dialog: HTMLElement, files: File[]): void {
  const zone = within(dialog).getByText('Drop files here').closest('div')
  if (zone) fireEvent.drop(zone, { dataTransfer: { files, types: ['Files'] } })
}

it('takes files that are dropped, selected or pasted; what is refused stands in its row [ST-125, ST-128, ST-147, ST-148]', async () => {
  const { user, dialog, channelId } = await theDialog()
  const lease = aSource('lease', { pages: 34 })
  const known = aSource('known', { name: 'known.txt' })
  fakeActions.addFiles.mockImplementationOnce(async () => {
    fakeSources.setState({ sources: [lease, known] })
    return [
      { name: 'lease.pdf', source: lease, isKnown: false },
      { name: 'known.txt', source: known, isKnown: true },
      { name: 'film.mov', error: new AppError('source.type') },
      { name: 'away.txt', error: new AppError('network') },
      { name: 'given-up.txt', error: new AppError('source.cancelled') },
    ]
  })
  const files = ['lease.pdf', 'known.txt', 'film.mov', 'away.txt', 'given-up.txt'].map((name) => aFile(name))
  drop(dialog, [...files, aFile('plan.tif', 71 * 1024 * 1024), aFile('exact.tif', limits.sources.maxFileBytes)])
  await waitFor(() =>
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((row) => row.textContent),
    ).toEqual([
      'lease.pdfProcessed, 34 pages',
      'known.txtAlready a source of this chat',
      'plan.tif71 MB. The limit is 50 MB.',
      'film.movParley cannot read this kind of file. Save it as PDF, and add that.',
      'away.txtFailed to send document. Please try again or check your connection.',
    ]),
  )
  expect(fakeActions.addFiles.mock.calls[0]?.[0]).toBe(channelId)
  // Just the limit is no more than the limit.
  expect(fakeActions.addFiles.mock.calls[0]?.[1].map(({ name }: File) => name)).toContain('exact.tif')
  expect(await screen.findByText('File sent successfully! Initializing processing...')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Dismiss plan.tif' }))
  expect(within(dialog).queryByText('plan.tif')).toBeNull()
})

it('offers every type of the specification to choose from [ST-129]', () => {
  const types = 'pdf docx pptx odt odp jpg jpeg png bmp gif tif tiff tex txt rtf'.split(' ')
  for (const type of types) expect(acceptedFiles.split(',')).toContain(`.${type}`)
})

it('says that it sends while it does [ST-149]', async () => {
  const { dialog } = await theDialog()
  let finish = (): void => undefined
  fakeActions.addFiles.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        finish = () => resolve([])
      }),
  )
  drop(dialog, [aFile('lease.pdf')])
  expect(await within(dialog).findByText('Sending file...')).toBeTruthy()
  finish()
  await waitFor(() => expect(within(dialog).queryByText('Sending file...')).toBeNull())
})

it('names the kind of a link once it has rested for 700 ms, and adds it with Enter, trimmed [ST-126, ST-127, ST-148]', async () => {
  const { user, dialog, field, channelId } = await theDialog()
  expect(limits.sources.linkDebounceMs).toBe(700)
  expect(document.activeElement).toBe(field)
  fakeActions.addLink.mockImplementation(async (_channelId: string, url: string) => ({
    source: aSource(url, { url, type: 'video' }),
    isKnown: false,
  }))
  await user.type(field, ' https://youtu.be/hX3kLwVq0p8 ')
  expect(within(dialog).queryByText('video')).toBeNull()
  expect(await within(dialog).findByText('video')).toBeTruthy()
  const box = screen.getByRole('textbox', { name: 'Message', hidden: true })
  fireEvent.change(box, { target: { value: 'Not yet' } })
  await user.keyboard('{Enter}')
  expect(fakeActions.addLink).toHaveBeenCalledExactlyOnceWith(channelId, 'https://youtu.be/hX3kLwVq0p8')
  // The dialog belongs to the composer, whose question is not sent with the link.
  expect(screen.getByRole('button', { name: 'Send', hidden: true })).toHaveProperty('disabled', false)
  expect(await screen.findByText('Youtube video sent successfully! Initializing processing...')).toBeTruthy()
  expect(field).toHaveProperty('value', '')
  await user.type(field, 'ibge.gov.br{Enter}')
  expect(await screen.findByText('Website sent successfully! Initializing processing...')).toBeTruthy()
})

it('refuses what does not look like an address, and sends nothing that is empty [ST-126, ST-127]', async () => {
  const { user, dialog, field } = await theDialog()
  await user.type(field, '   {Enter}')
  expect(within(dialog).queryByText('Invalid URL')).toBeNull()
  await user.clear(field)
  await user.type(field, 'not a link{Enter}')
  expect(within(dialog).getByRole('alert')).toHaveProperty('textContent', 'Invalid URL')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await user.clear(field)
  await user.type(field, 'nowhere')
  expect(within(dialog).queryByText('Invalid URL')).toBeNull()
  expect(await within(dialog).findByText('Invalid URL')).toBeTruthy()
  expect(fakeActions.addLink).not.toHaveBeenCalled()
})

it('says why a link was not added, or that something went wrong [ST-145]', async () => {
  const { user, field } = await theDialog()
  fakeActions.addLink.mockRejectedValueOnce(new AppError('source.url-refused'))
  await user.type(field, 'https://intranet.example{Enter}')
  expect(await screen.findByText(/This address cannot be read from here/)).toBeTruthy()
  fakeActions.addLink.mockRejectedValueOnce(new Error('?'))
  await user.type(field, 'https://example.org{Enter}')
  expect(await screen.findByText('Error when sending content')).toBeTruthy()
})
