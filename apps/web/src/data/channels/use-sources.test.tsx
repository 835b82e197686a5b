import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { InPageReader } from '../../testing/in-page-reader'
import { aFile } from '../sources/source-store-suite'
import { createWorkspace } from '../workspace'
import { returnDraftSources, takeDraftSources } from './channel-sources'
import { localChannels } from './local-channels'
import {
  addFiles,
  addLink,
  addText,
  cancelSource,
  readDocument,
  readFileOf,
  removeSource,
  retrySource,
  saveSwitches,
} from './source-actions'
import { sourcesOfDraft, useSources } from './use-sources'

beforeEach(() => {
  vi.stubGlobal('Worker', InPageReader)
})

/** Reading is as quick as the machine. */
const whenShown = (look: () => void): Promise<void> => waitFor(look, { timeout: 20_000 })

function show(channelId: string) {
  const client = new QueryClient()
  createWorkspace({ queryClient: client })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useSources(channelId), { wrapper }).result
}

it.each(['a channel', 'a chat that has not begun', 'a temporary one that has not begun'])(
  'shows the sources of %s as they are added, read, switched and removed',
  async (where) => {
    const draftId = sourcesOfDraft(where.startsWith('a temporary'))
    const channelId = where === 'a channel' ? (await localChannels.create({ assistantId: null })).id : draftId
    const shown = show(channelId)
    await whenShown(() =>
      expect(shown.current).toEqual({ sources: [], isLoading: false, isFirstTry: false, error: undefined }),
    )
    const results = await act(() => addFiles(channelId, [aFile(), aFile('film.mov')]))
    expect(results).toMatchObject([
      { name: 'lease.txt', isKnown: false },
      { name: 'film.mov', error: { code: 'source.type' } },
    ])
    await act(() => addText(channelId, 'Pasted.', 'pasted.txt'))
    await whenShown(() =>
      expect(shown.current.sources.map(({ name, status }) => [name, status])).toEqual([
        ['lease.txt', 'processed'],
        ['pasted.txt', 'processed'],
      ]),
    )
    await expect(addLink(channelId, 'ftp://example.org/')).rejects.toMatchObject({ code: 'source.url-invalid' })
    const [lease, pasted] = shown.current.sources
    if (!lease || !pasted) throw new Error('not shown')
    await act(() => saveSwitches(channelId, [{ id: lease.id, isActive: false }]))
    await whenShown(() => expect(shown.current.sources[0]?.isActive).toBe(false))
    expect((await readDocument(pasted)).blocks).toEqual([{ kind: 'paragraph', text: 'Pasted.' }])
    expect(await (await readFileOf(pasted)).text()).toBe('Pasted.')
    // What is read cannot be cancelled, nor read again.
    await cancelSource(lease)
    await retrySource(lease)
    await act(() => removeSource(lease))
    await whenShown(() => expect(shown.current.sources).toMatchObject([{ name: 'pasted.txt', status: 'processed' }]))
  },
)

it('has the files of a chat that begins in its channel, and in the draft again where it did not begin', async () => {
  const draftId = sourcesOfDraft(false)
  await act(() => addFiles(draftId, [aFile('begin.txt', 'It begins with this.')]))
  const channel = await localChannels.create({ assistantId: null })
  const names = (result: ReturnType<typeof show>): string[] => result.current.sources.map(({ name }) => name)
  await act(() => takeDraftSources(channel))
  const inChannel = show(channel.id)
  await whenShown(() => expect(names(inChannel)).toContain('begin.txt'))
  const left = show(draftId)
  await whenShown(() =>
    expect(left.current).toEqual({ sources: [], isLoading: false, isFirstTry: false, error: undefined }),
  )
  await act(() => returnDraftSources(channel))
  const again = show(draftId)
  await whenShown(() => expect(names(again)).toContain('begin.txt'))
})
