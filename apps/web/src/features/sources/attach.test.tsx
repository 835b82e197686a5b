import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sourcesOfDraft } from '../../data/channels/use-sources'
import { aSource, fakeActions, fakeSources } from '../../testing/fake-sources'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { linkOffer } from './link-offer-state'

vi.mock('../../data/channels/use-sources', async (original) => ({
  ...(await original()),
  ...(await import('../../testing/fake-sources')).fakeHooks,
}))
vi.mock('../../data/channels/source-actions', async () => (await import('../../testing/fake-sources')).fakeActions)

beforeEach(() => {
  localStorage.clear()
  vi.clearAllMocks()
  fakeActions.addFiles.mockResolvedValue([])
  fakeActions.addText.mockImplementation(async () => {
    const source = aSource('pasted', { name: 'Pasted text.txt' })
    fakeSources.setState({ sources: [source] })
    return { source, isKnown: false }
  })
})
afterEach(async () => {
  linkOffer.close()
  fakeSources.setState({ sources: [] })
  await cleanUp()
})

const aFile = (name: string) => new File(['abc'], name)
const filesOf = (call: number) => fakeActions.addFiles.mock.calls[call]?.[1].map(({ name }: File) => name)

async function theChat(config = {}) {
  const [channel] = await seedChannels('Lease')
  const view = await renderScreen(`/app#${channel?.id}`, { config })
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  await screen.findByRole('button', { name: 'Add sources' })
  const paste = (text: string, files: File[] = []) => {
    const isTaken = !fireEvent.paste(box, {
      clipboardData: { files, types: files.length > 0 ? ['Files'] : ['text/plain'], getData: () => text },
    })
    if (!isTaken && text !== '') fireEvent.change(box, { target: { value: text } })
    return isTaken
  }
  return { ...view, box, paste, channelId: channel?.id ?? '' }
}

it('takes files that are dropped anywhere on the chat, and shows where they go [ST-125]', async () => {
  const { channelId } = await theChat()
  const dataTransfer = { files: [aFile('a.pdf'), aFile('b.txt')], types: ['Files'] }
  fireEvent.dragOver(document.body, { dataTransfer })
  expect(await screen.findByText('Drop to add to this chat')).toBeTruthy()
  fireEvent.drop(document.body, { dataTransfer })
  await waitFor(() => expect(fakeActions.addFiles).toHaveBeenCalledTimes(1))
  expect([fakeActions.addFiles.mock.calls[0]?.[0], filesOf(0)]).toEqual([channelId, ['a.pdf', 'b.txt']])
  await waitFor(() => expect(screen.queryByText('Drop to add to this chat')).toBeNull())
  // Words that are dragged are no files.
  fireEvent.dragOver(document.body, { dataTransfer: { files: [], types: ['text/plain'] } })
  expect(screen.queryByText('Drop to add to this chat')).toBeNull()
})

it('takes files that are pasted, of a new chat as well', async () => {
  await renderScreen('/app')
  const box = await screen.findByRole('textbox', { name: 'Message' })
  await screen.findByRole('button', { name: 'Add sources' })
  fireEvent.paste(box, { clipboardData: { files: [aFile('photo.png')], types: ['Files'], getData: () => '' } })
  await waitFor(() => expect(filesOf(0)).toEqual(['photo.png']))
  expect(fakeActions.addFiles.mock.calls[0]?.[0]).toBe(sourcesOfDraft(false))
})

it('makes a long pasted text a file, which Ctrl Z right after turns back into text', async () => {
  const { box, paste, user } = await theChat()
  const long = 'word '.repeat(801)
  expect(paste(long)).toBe(true)
  expect(await screen.findByText(/The long text was added as a file/)).toBeTruthy()
  expect(fakeActions.addText.mock.calls[0]?.slice(1)).toEqual([long, 'Pasted text.txt'])
  expect(box.value).toBe('')
  box.focus()
  await user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(box.value).toBe(long))
  expect(fakeActions.removeSource).toHaveBeenCalledTimes(1)
})

it('leaves the file where something else was done first, and a shorter text what it is', async () => {
  const { box, paste, user } = await theChat()
  expect(paste('x'.repeat(4_000))).toBe(false)
  await user.clear(box)
  expect(paste('x'.repeat(4_001))).toBe(true)
  await screen.findByText(/The long text was added as a file/)
  await user.type(box, 'y')
  await user.keyboard('{Control>}z{/Control}')
  expect(fakeActions.removeSource).not.toHaveBeenCalled()
  expect(box.value).toBe('y')
})

it('loses no pasted text that could not become a file', async () => {
  const { box, paste } = await theChat()
  fakeActions.addText.mockRejectedValueOnce(new Error('full'))
  const long = 'x'.repeat(4_001)
  paste(long)
  await waitFor(() => expect(box.value).toBe(long))
  expect(await screen.findByText(/Failed to send document/)).toBeTruthy()
})

it('offers to read a link that was pasted by itself, and takes it out of the text then', async () => {
  const { box, paste, user, channelId } = await theChat()
  fakeActions.addLink.mockImplementation(async (_id: string, url: string) => ({ source: aSource(url), isKnown: false }))
  expect(paste('https://www.ibge.gov.br/indices')).toBe(false)
  expect(await screen.findByText('Read ibge.gov.br as a source?')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Read it' }))
  expect(fakeActions.addLink).toHaveBeenCalledExactlyOnceWith(channelId, 'https://www.ibge.gov.br/indices')
  await waitFor(() => expect(box.value).toBe(''))
  expect(screen.queryByText('Read ibge.gov.br as a source?')).toBeNull()
})

it('asks anonymous people to sign in, and leaves their text where it is [ST-050, ST-125]', async () => {
  const { user, box, paste } = await theChat({ signInMethods: ['email'] })
  expect(paste('x'.repeat(4_001))).toBe(false)
  expect(box.value).toHaveLength(4_001)
  await user.click(screen.getByRole('button', { name: 'Add sources' }))
  expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Add sources' })).toBeNull()
  expect(box.value).toHaveLength(4_001)
  expect(fakeActions.addFiles).not.toHaveBeenCalled()
})
