import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { setStorageMode } from '../../data/channels/storage-mode'
import { sendMessage } from '../../data/chat/send-message'
import { forgetSession } from '../../data/session/stored-session'
import { aSource, fakeActions, fakeSources, goOn, progress } from '../../testing/fake-sources'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

vi.mock('../../data/channels/use-sources', async (original) => ({
  ...(await original()),
  ...(await import('../../testing/fake-sources')).fakeHooks,
}))
vi.mock('../../data/channels/source-actions', async () => (await import('../../testing/fake-sources')).fakeActions)

vi.mock('../../data/chat/send-message', async (original) => {
  const real = await original<typeof import('../../data/chat/send-message')>()
  return { ...real, sendMessage: vi.fn(real.sendMessage) }
})

beforeEach(() => {
  localStorage.clear()
  vi.clearAllMocks()
})
afterEach(async () => {
  fakeSources.setState({ sources: [], error: undefined } as never)
  setStorageMode('local')
  forgetSession()
  await cleanUp()
})

/** A chat on this device in which one question was asked, before the sources were added. */
async function aChat(sources = fakeSources.getState().sources) {
  const [lease] = await seedChannels('Lease')
  const channelId = lease?.id ?? ''
  fakeSources.setState({ sources })
  const view = await renderScreen(`/app#${channelId}`)
  const bar = await screen.findByRole('region', { name: 'Sources of this chat' })
  const box = await screen.findByRole('textbox', { name: 'Message' })
  const rows = () =>
    within(bar)
      .getAllByRole('listitem')
      .map((row) => row.textContent)
  return { ...view, channelId, bar, box, rows }
}

/** What was sent last, and with which files. */
const sent = (): unknown => vi.mocked(sendMessage).mock.lastCall?.[0]

it('shows each source with its state in words, and why one could not be read [ST-037, ST-132]', async () => {
  const { rows, bar } = await aChat([
    aSource('lease', { pages: 34 }),
    aSource('scan', { ...progress(41, 118), notices: [] }),
    aSource('minutes', { name: 'minutes.pages', status: 'failed', reason: 'source.type' }),
    aSource('photo', { name: 'photo.jpg', mediaType: 'image/jpeg', notices: ['from-picture'] }),
    aSource('half', { name: 'half.pdf', status: 'failed', reason: 'source.upload-damaged' }),
    aSource('sent', { status: 'queued', progress: { done: 3, of: 4, unit: 'bytes' } }),
  ])
  expect(rows()).toEqual([
    'lease.pdfProcessed, 34 pages',
    'scan.pdfReading page 41 of 118',
    'minutes.pagesCould not be read: Parley cannot read this kind of file. Save it as PDF, and add that.',
    'photo.jpgProcessed · read from a picture',
    'half.pdfCould not be read: The file arrived damaged. Please add it again.',
    'sent.pdfSending file... 75%',
  ])
  expect(within(bar).getByRole('progressbar', { name: 'Progress of scan.pdf' })).toHaveProperty('value', 41)
  // What is of no use to try again cannot be.
  for (const name of ['minutes.pages', 'half.pdf'])
    expect(within(bar).queryByRole('button', { name: `Read ${name} again` })).toBeNull()
})

it('removes by button and by the Delete key, cancels what is read, and reads again', async () => {
  const { user, bar } = await aChat([
    aSource('one'),
    aSource('two'),
    aSource('scan', progress(1, 9)),
    aSource('broken', { status: 'failed', reason: 'source.took-too-long' }),
  ])
  await user.click(within(bar).getByRole('button', { name: 'Remove one.pdf' }))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove two.pdf')
  await user.keyboard('{Delete}')
  expect(within(bar).queryByText('two.pdf')).toBeNull()
  await user.click(within(bar).getByRole('button', { name: 'Cancel reading scan.pdf' }))
  expect(within(bar).getByText(/Could not be read: Reading it was cancelled/)).toBeTruthy()
  await user.click(within(bar).getByRole('button', { name: 'Read broken.pdf again' }))
  expect(within(bar).getByText('Waiting to be read')).toBeTruthy()
  expect(fakeActions.removeSource).toHaveBeenCalledTimes(2)
})

it('lets a question wait until its sources are read, and sends it then', async () => {
  const { user, box } = await aChat([aSource('scan', progress(1, 9))])
  await user.type(box, 'Is there a balcony?{Enter}')
  expect(await screen.findAllByText('Will be sent when scan.pdf is read')).toHaveLength(2)
  expect(sent()).toBeUndefined()
  act(() => goOn('scan', { status: 'processed' }))
  await waitFor(() =>
    expect(sent()).toMatchObject({ text: 'Is there a balcony?', files: [{ fileId: 'scan', name: 'scan.pdf' }] }),
  )
  await waitFor(() => expect(box).toHaveProperty('value', ''))
})

it('does not send by itself what could not be read: it says so, and offers to read again, to send without it, or not to', async () => {
  const { user, box, bar } = await aChat([aSource('scan', progress(1, 9)), aSource('lease')])
  const failed = () => screen.findByText('Not sent yet: scan.pdf could not be read')
  await user.type(box, 'Well?{Enter}')
  await screen.findAllByText('Will be sent when scan.pdf is read')
  act(() => goOn('scan', { status: 'failed', reason: 'source.took-too-long' }))
  await failed()
  expect(within(bar).getByText(/Could not be read: /)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Read again' }))
  expect(await screen.findAllByText('Will be sent when scan.pdf is read')).toHaveLength(2)
  act(() => goOn('scan', { status: 'failed', reason: 'source.no-text' }))
  await failed()
  // What is of no use to try again is not offered.
  expect(screen.queryByRole('button', { name: 'Read again' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Don’t send yet' }))
  expect(screen.queryByText('Not sent yet: scan.pdf could not be read')).toBeNull()
  expect([sent(), box.textContent, document.activeElement]).toEqual([undefined, 'Well?', box])
  act(() => goOn('scan', progress(2, 9)))
  await user.type(box, '{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Send without it' }))
  await waitFor(() => expect(sent()).toMatchObject({ text: 'Well?', files: [{ fileId: 'lease' }] }))
})

it('waits no longer after Esc, and keeps the text', async () => {
  const { user, box } = await aChat([aSource('scan', progress(1, 9))])
  await user.type(box, 'Well?{Enter}')
  await screen.findAllByText('Will be sent when scan.pdf is read')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('Will be sent when scan.pdf is read')).toBeNull())
  act(() => goOn('scan', { status: 'processed' }))
  expect(box).toHaveProperty('value', 'Well?')
  expect(sent()).toBeUndefined()
})

it('does not overtake a file that is still being added', async () => {
  let added = (): void => undefined
  fakeActions.addFiles.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        added = () => {
          fakeSources.setState({ sources: [aSource('late')] })
          resolve([{ name: 'late.pdf', source: aSource('late'), isKnown: false }])
        }
      }),
  )
  const [channel] = await seedChannels('Lease')
  const { user } = await renderScreen(`/app#${channel?.id}`)
  const box = await screen.findByRole('textbox', { name: 'Message' })
  await screen.findByRole('button', { name: 'Add sources' })
  const files = [new File(['late'], 'late.pdf')]
  fireEvent.drop(document.body, { dataTransfer: { files, types: ['Files'] } })
  await user.type(box, 'What is in it?{Enter}')
  expect(await screen.findAllByText('Will be sent when what you are adding is read')).toHaveLength(2)
  expect(sent()).toBeUndefined()
  await waitFor(() => expect(fakeActions.addFiles).toHaveBeenCalled())
  await act(async () => added())
  await waitFor(() => expect(sent()).toMatchObject({ text: 'What is in it?', files: [{ fileId: 'late' }] }))
})

it.each([
  ['pt-BR', 'Ainda não enviada: não foi possível ler scan.pdf', 'Enviar sem ela', 'Não enviar ainda'],
  ['es-ES', 'Aún sin enviar: no se pudo leer scan.pdf', 'Enviar sin ella', 'No enviar todavía'],
])('says so in %s', async (language, failure, without, notYet) => {
  localStorage.setItem('language', language)
  const [channel] = await seedChannels('Lease')
  fakeSources.setState({ sources: [aSource('scan', progress(1, 9))] })
  const { user } = await renderScreen(`/app#${channel?.id}`)
  await user.type(await screen.findByRole('textbox', { name: /Mensage[mn]|Mensaje/ }), 'E?{Enter}')
  await screen.findByRole('button', { name: notYet })
  act(() => goOn('scan', { status: 'failed', reason: 'source.damaged' }))
  expect(await screen.findByText(failure)).toBeTruthy()
  expect(screen.getByRole('button', { name: without })).toBeTruthy()
})

it('sends a question of files alone', async () => {
  const { user } = await aChat([aSource('lease', { pages: 34 })])
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  await waitFor(() =>
    expect(sent()).toMatchObject({ text: '', files: [{ fileId: 'lease', pages: 34, reading: 'whole' }] }),
  )
})

it.each([
  ['local', 'Chat created with success.'],
  ['cloud', 'Channel created with success.'],
])('that begins a chat in the %s home says that it was made, in words of its own [ST-151]', async (mode, said) => {
  if (mode === 'cloud') {
    await seedSession()
    setStorageMode('cloud')
  }
  fakeSources.setState({ sources: [aSource('lease', { pages: 34 })] })
  const { user } = await renderScreen('/app')
  await screen.findByRole('region', { name: 'Sources of this chat' })
  const [begun] = await seedChannels('Begun')
  vi.mocked(sendMessage).mockResolvedValueOnce({ channelId: begun?.id ?? '', isNewChannel: true })
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText(said)).toBeTruthy()
  expect(sent()).toMatchObject({ channelId: undefined, mode, files: [{ fileId: 'lease' }] })
})

it('counts the sources of the chat that were asked with before, and leads to all of them', async () => {
  const long = new Date(0).toISOString()
  const [channel] = await seedChannels('Lease')
  const channelId = channel?.id ?? ''
  await localChannels.put({
    ...{ mId: 'a', channelId, chat_request: 'Why?', status: 'completed', datetime: new Date().toISOString() },
    chat_response: { role: 'assistant', content: 'So.' },
  })
  fakeSources.setState({ sources: [aSource('one', { addedAt: long }), aSource('two', { addedAt: long })] })
  const { user } = await renderScreen(`/app#${channelId}`)
  expect(await screen.findByText('2 sources of this chat')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Manage' }))
  expect(await screen.findByRole('dialog', { name: 'Data management' })).toBeTruthy()
})

it('counts what the active sources take of the next question in the gauge, as much as their share of the window', async () => {
  const [channel] = await seedChannels('Lease')
  const channelId = channel?.id ?? ''
  await localChannels.put({
    ...{ mId: 'a', channelId, chat_request: 'Why?', status: 'completed', datetime: new Date().toISOString() },
    chat_response: { role: 'assistant', content: 'So.' },
  })
  fakeSources.setState({ sources: [aSource('one', { characters: 3_900, passages: 5 })] })
  const answers = {
    'GET /api/chat/instructions-size': () => ({ status: 200, body: { tokens: 100, ofSources: 350 } }),
  }
  const { user } = await renderScreen(`/app#${channelId}`, { answers })
  await user.click(await screen.findByRole('button', { name: /^Context: / }))
  const line = (name = 'Sources of this chat') => screen.getByText(name).nextSibling?.textContent
  await waitFor(() => expect(line()).toBe('1,120'))
  // With the rules for sources.
  await waitFor(() => expect(line('General instructions')).toBe('450'))
  act(() => fakeSources.setState({ sources: [aSource('one', { characters: 9_000_000, passages: 9_000 })] }))
  const { unknownWindowTokens } = limits.context
  await waitFor(() => expect(line()).toBe(new Intl.NumberFormat('en-US').format(Math.floor(unknownWindowTokens / 3))))
  act(() => fakeSources.setState({ sources: [aSource('one', { characters: 3_900, passages: 5, isActive: false })] }))
  await waitFor(() => expect(screen.queryByText('Sources of this chat')).toBeNull())
  expect(line('General instructions')).toBe('100')
})

it('says when the sources cannot be had, and that a website was read [ST-146, ST-150]', async () => {
  await aChat([aSource('site', { type: 'website', url: 'https://ibge.gov.br', status: 'processing' })])
  act(() => goOn('site', { status: 'processed' }))
  expect(await screen.findByText('Document embedding created successfully.')).toBeTruthy()
  act(() => fakeSources.setState({ error: new AppError('network') }))
  expect(await screen.findByText('Failed to retrieve attachments. Please try again.')).toBeTruthy()
})
