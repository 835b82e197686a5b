import 'fake-indexeddb/auto'
import { limits } from '@parley/contract/limits/shared'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ShareInbox } from '../../worker/share-inbox'
import { draftsAreStored, writeDraft } from '../channels/drafts'
import { readSharedDraft } from './shared-draft'

/** That of this environment copies no files. */
class DirectChannel {
  readonly port1: { onmessage?: (event: { data: unknown }) => void } = {}
  readonly port2 = { postMessage: (data: unknown) => queueMicrotask(() => this.port1.onmessage?.({ data })) }
}

beforeEach(() => vi.stubGlobal('MessageChannel', DirectChannel))
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** What the system posts, taken by a worker that has it in memory. */
async function share(fields: Record<string, string>, files: File[] = []): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const file of files) body.append('files', file)
  const inbox = new ShareInbox()
  await inbox.put({ formData: async () => body } as unknown as Request)
  const controller = { postMessage: (_message: unknown, [port]: MessagePort[]) => port?.postMessage(inbox.take()) }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { controller } })
}

it('what was typed before stays in front of what is shared; an address is not said twice', async () => {
  writeDraft('new', 'Half a question')
  await draftsAreStored()
  await share({ title: 'A page', text: 'Read https://example.org/a', url: 'https://example.org/a' })
  expect((await readSharedDraft())?.text).toBe('Half a question\n\nA page\n\nRead https://example.org/a')
})

it('text files are in the draft with their names; pictures, other bytes and what is too long for a question are refused by name', async () => {
  writeDraft('new', '')
  await share({}, [
    new File(['a,b\n1,2'], 'table.csv'),
    new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe])], 'picture.txt'),
    new File([new Uint8Array([104, 0, 105, 0])], 'utf16.txt'),
    new File(['x'.repeat(limits.chat.maxQuestionLength)], 'long.txt'),
    new File(['x'.repeat(limits.chat.maxQuestionLength * 5)], 'longer.txt'),
    new File(['{}'], 'last.json'),
  ])
  expect(await readSharedDraft()).toEqual({
    text: 'table.csv\n\na,b\n1,2\n\nlast.json\n\n{}',
    refused: [
      { name: 'picture.txt', reason: 'not-text' },
      { name: 'utf16.txt', reason: 'not-text' },
      { name: 'long.txt', reason: 'too-long' },
      { name: 'longer.txt', reason: 'too-long' },
    ],
  })
})

it('what is shared is taken once: the page that is loaded anew has nothing', async () => {
  await share({ text: 'Once' })
  expect((await readSharedDraft())?.text).toContain('Once')
  expect(await readSharedDraft()).toBeUndefined()
})

it('where no worker runs nothing has arrived', async () => {
  expect(await readSharedDraft()).toBeUndefined()
})
