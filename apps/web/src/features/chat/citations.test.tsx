import type { Message } from '@parley/contract/chat'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { openCitation } from '../../lib/open-citation'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  openCitation.close()
  await cleanUp()
})

const lease: FilePart = {
  ...{ type: 'file', fileId: 'lease', name: 'lease.pdf', mediaType: 'application/pdf', bytes: 1_258_291 },
  ...{ reading: 'whole', pages: 34 },
}
const law: FilePart = { ...lease, fileId: 'law', name: 'law.epub', reading: 'passages', sent: 6, of: 214 }
const page = (n: number): FilePart => ({
  ...law,
  fileId: `web ${n}`,
  mediaType: 'text/html',
  url: `https://ibge.gov.br/${n}`,
})
const cited: SourcePart[] = [
  { type: 'source', n: 1, title: 'lease.pdf', fileId: 'lease', page: 4, passage: '8.2. Three full rents are due.' },
  { type: 'source', n: 2, title: 'Prices', url: 'https://www.ibge.gov.br/2', passage: 'The index rose 37 %.' },
]

type Sources = { files?: FilePart[]; read?: FilePart[]; sources?: SourcePart[] }

/** A chat with one answer, which says this of its sources. */
async function anAnswer(fields: Partial<Message> & Sources) {
  const [channel] = await seedChannels('Lease')
  const channelId = channel?.id ?? ''
  const message: Message & Sources = {
    ...{ mId: 'a', channelId, chat_request: 'What does leaving cost?', status: 'completed' },
    chat_response: { role: 'assistant', content: 'Three rents [1], and 37 % [2]. Not [3].' },
    ...{ datetime: new Date().toISOString(), ...fields },
  }
  await localChannels.put(message)
  vi.spyOn(localChannels, 'messages').mockResolvedValue({ messages: [message], hasMore: false } as never)
  const view = await renderScreen(`/app#${channelId}`)
  await screen.findByText(/Three rents/)
  return { ...view, channelId }
}

it('draws the numbers of what was sent as chips, and lists them under the answer', async () => {
  await anAnswer({ sources: cited, read: [lease] })
  const list = await screen.findByRole('list', { name: 'Sources of this answer' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['1lease.pdfp. 4', '2ibge.gov.br'])
  expect(await screen.findByRole('button', { name: 'Source 1' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Source 2' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Source 3' })).toBeNull()
  expect(screen.getByText(/Not \[3\]/)).toBeTruthy()
})

it('says what was read: whole documents first, then passages, then pages of the web; also where nothing is cited', async () => {
  await anAnswer({ read: [page(1), law, lease, page(2), { ...lease, fileId: 'p', name: 'p.jpg', reading: 'picture' }] })
  expect(
    await screen.findByText(
      'Read: all 34 pages of lease.pdf · 6 of 214 passages of law.epub · p.jpg as a picture · 2 web pages',
    ),
  ).toBeTruthy()
})

it('says where a picture was not seen: only its text was read', async () => {
  await anAnswer({ read: [{ ...lease, name: 'note.jpg', mediaType: 'image/jpeg', sent: 1, of: 1 }] })
  expect(await screen.findByText('Read: the text in note.jpg, without the picture')).toBeTruthy()
})

it.each([
  ['en-US', 'Read: nothing of photo.jpg: the model was not shown the picture, and no text was found in it'],
  ['pt-BR', 'Lido: nada de photo.jpg: a imagem não foi mostrada ao modelo, e nenhum texto foi encontrado nela'],
  ['es-ES', 'Leído: nada de photo.jpg: no se mostró la imagen al modelo y no se encontró texto en ella'],
])('says where nothing of a picture was read, in %s', async (language, said) => {
  localStorage.setItem('language', language)
  await anAnswer({
    read: [{ ...lease, name: 'photo.jpg', mediaType: 'image/jpeg', reading: 'passages', sent: 0, of: 0 }],
  })
  expect(await screen.findByText(said)).toBeTruthy()
})

it('shows the passage of a number that has the focus, after 300 ms; Esc hides it', async () => {
  const { user } = await anAnswer({ sources: cited })
  const chip = await screen.findByRole('button', { name: 'Source 1' })
  while (document.activeElement !== chip) await user.tab({ shift: true })
  await waitFor(() => expect(chip.getAttribute('aria-describedby')).toBeTruthy())
  const card = document.getElementById(chip.getAttribute('aria-describedby') ?? '')
  expect(card?.textContent).toBe('lease.pdfPage 48.2. Three full rents are due.')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(chip.getAttribute('aria-describedby')).toBeNull())
})

it('opens the source beside the chat with Enter; N and P go through the passages, Esc back to the number', async () => {
  const { user } = await anAnswer({ sources: cited })
  const chip = await screen.findByRole('button', { name: 'Source 1' })
  chip.focus()
  await user.keyboard('{Enter}')
  const panel = await screen.findByRole('complementary', { name: 'lease.pdf' })
  expect(await within(panel).findByText('This file was removed. The passage is kept.')).toBeTruthy()
  expect(within(panel).getByText('8.2. Three full rents are due.')).toBeTruthy()
  await user.keyboard('n')
  const next = await screen.findByRole('complementary', { name: 'Prices' })
  expect(within(next).getByText('Passage 2 of 2')).toBeTruthy()
  expect(within(next).getByRole('link', { name: 'https://www.ibge.gov.br/2' })).toBeTruthy()
  await user.keyboard('n')
  expect(screen.getByText('Passage 2 of 2')).toBeTruthy()
  await user.keyboard('p')
  await screen.findByRole('complementary', { name: 'lease.pdf' })
  await user.keyboard('n{Escape}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Source 2'))
  expect(screen.queryByRole('complementary', { name: 'Prices' })).toBeNull()
})

it('shows what was added with a question in its bubble, also where nothing was said with it', async () => {
  await anAnswer({ chat_request: '', files: [lease, { ...page(1), name: 'Prices' }] })
  const files = await screen.findByRole('list', { name: 'Added with the question' })
  expect(
    within(files)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['lease.pdf34 pages, 1.2 MB', 'Pricesibge.gov.br'])
})

it('keeps the numbers in the text that is copied', async () => {
  const { user } = await anAnswer({ sources: cited })
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(screen.getAllByRole('button', { name: 'Copy' }).at(-1) as HTMLElement)
  expect(written).toHaveBeenCalledExactlyOnceWith('Three rents [1], and 37 % [2]. Not [3].')
})
