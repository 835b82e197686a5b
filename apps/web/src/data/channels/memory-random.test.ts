import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { runsOf } from '../../testing/depth'
import { seedSession } from '../../testing/seed-session'
import { openMemoryDevice } from '../local/memory-device'
import { openDevice } from '../vault/open-device'
import type { ChannelStore } from './channel-store'
import { keepTemporary } from './keep-temporary'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { dropTemporary, openTemporary } from './temporary-chats'
import { anAnswer, answered, askedAgain } from './version-suite'

const kinds = ['ask', 'edit', 'branch', 'again', 'stop', 'show', 'remove', 'removeBranch', 'pin', 'clear'] as const
const steps = fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(1_000) }), {
  minLength: 1,
  maxLength: 30,
})
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})

const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId

/** Every question and every path through them, as people read them. */
async function contentOf(store: ChannelStore, channelId: string) {
  const outline = await store.outline(channelId)
  const paths = await Promise.all(outline.map(({ mId }) => store.messages(channelId, { around: mId, limit: 200 })))
  return { outline, paths, shown: await store.messages(channelId, { limit: 200 }) }
}

/** Does the same in each store. What one refuses the others refuse alike. */
async function doAll(stores: readonly ChannelStore[], channelId: string, given: Steps): Promise<void> {
  const asked: Message[] = []
  for (const [index, { kind, at }] of given.entries()) {
    const chosen = asked[at % Math.max(1, asked.length)]
    const act = actionOf(kind, chosen, { channelId, text: `q${index}`, asked })
    const ends = await Promise.all(
      stores.map((store) =>
        act(store).then(
          () => 'done',
          (error: unknown) => (error instanceof Error ? error.message : ''),
        ),
      ),
    )
    expect(new Set(ends).size, `${kind}: ${ends.join(' | ')}`).toBe(1)
  }
}

function actionOf(
  kind: (typeof kinds)[number],
  chosen: Message | undefined,
  { channelId, text, asked }: { channelId: string; text: string; asked: Message[] },
): (store: ChannelStore) => Promise<unknown> {
  const put = (message: Message) => {
    asked.push(message)
    return (store: ChannelStore) => store.put(message)
  }
  if (kind === 'ask' || !chosen) return put(anAnswer(channelId, text))
  const { mId } = chosen
  switch (kind) {
    case 'edit':
      return put(anAnswer(channelId, text, { afterRunId: chosen.afterRunId ?? null }))
    case 'branch':
      return put(anAnswer(channelId, text, { afterRunId: runIdOf(chosen) }))
    case 'again':
    case 'stop': {
      const again = askedAgain(chosen)
      const over = answered(again, kind === 'stop' ? '' : `${text}!`)
      return async (store) => {
        await store.put(again)
        await store.put(kind === 'stop' ? { ...over, status: 'interrupted' } : over)
      }
    }
    case 'show':
      return (store) => store.show(channelId, { mId })
    case 'remove':
      return (store) => store.removeMessage(channelId, mId)
    case 'removeBranch':
      return (store) => store.removeBranch(channelId, mId)
    case 'pin':
      return (store) => store.setPinned(channelId, mId, text.length % 2 === 0)
    case 'clear':
      return (store) => store.clear(channelId)
  }
}

it('does in memory what IndexedDB does, in any order of asking, editing, asking anew, choosing and deleting', async () => {
  const run = async (given: Steps): Promise<void> => {
    const { id } = await localChannels.create({ assistantId: null })
    const device = await openMemoryDevice()
    const memory = new LocalChannelStore({ open: async () => device, isOfTab: true })
    await memory.create({ assistantId: null, id })
    await doAll([localChannels, memory], id, given)
    expect(await contentOf(memory, id)).toEqual(await contentOf(localChannels, id))
    await localChannels.remove(id)
  }
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: runsOf(400) })
})

it('keeps a temporary chat whole, whatever was done in it', async () => {
  const { db } = await openDevice()
  const run = async (given: Steps): Promise<void> => {
    const { store } = await openTemporary()
    const { id } = await store.create({ assistantId: null })
    await doAll([store], id, given)
    const before = await contentOf(store, id)
    await keepTemporary(id)
    expect(withoutCursors(await contentOf(localChannels, id))).toEqual(withoutCursors(before))
    expect(await store.list()).toEqual([])
    await localChannels.remove(id)
  }
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: runsOf(400) })
  expect(await db.count('runs')).toBe(0)
  dropTemporary()
})

/** The positions of records are told by cursors alone, and begin anew in another home. */
function withoutCursors({ outline, paths, shown }: Awaited<ReturnType<typeof contentOf>>) {
  return { outline, paths: paths.map(({ messages }) => messages), shown: shown.messages }
}
