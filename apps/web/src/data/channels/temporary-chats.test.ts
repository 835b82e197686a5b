import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { onChange } from '../local/changes'
import { openMemoryDevice } from '../local/memory-device'
import { forgetSession, storedSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { lockVault } from '../vault/vault-state'
import { clearChannel, createChannel, deleteAllChannels, deleteChannel } from './channel-actions'
import { describeChannelStore } from './channel-store-suite'
import { draftsAreStored, readDraft, writeDraft } from './drafts'
import { findHome, homes } from './homes'
import { keepTemporary } from './keep-temporary'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { chooseTemporary, leaveTemporary } from './new-chat'
import { outbox } from './outbox'
import { putQueued, queuedChannels, readQueue } from './queued-questions'
import { readReadMark, writeReadMark } from './read-marks'
import { dropTemporary, hasTemporaryMessages, isTemporary, openTemporary, temporaryDraftId } from './temporary-chats'
import { anAnswer, answered, askedAgain, describeVersions } from './version-suite'

async function inMemory(): Promise<LocalChannelStore> {
  const device = await openMemoryDevice()
  let at = Date.now()
  // Memory writes several times within a millisecond.
  return new LocalChannelStore({ open: async () => device, now: () => new Date(at++), isOfTab: true })
}

describeChannelStore('the memory of this tab', inMemory)
describeVersions('the memory of this tab', inMemory)

/** The writes to every database of the browser while something is done. */
async function writesDuring(action: () => Promise<unknown>): Promise<number> {
  const { prototype } = IDBObjectStore
  const spies = (['put', 'add', 'delete', 'clear'] as const).map((name) => vi.spyOn(prototype, name))
  await action()
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

const entryOf = (channelId: string, mId: string) => ({
  mId,
  body: {
    ...{ question: 'When?', channelId, messageId: mId, lastMessages: [], assistantId: null, isAudioMessage: false },
    ...{ enableWebSearch: false, typeChat: {}, userLanguage: 'en-US', storageMode: 'local' as const },
  },
})

describe('temporary chats', () => {
  beforeEach(async () => {
    localStorage.clear()
    await seedSession()
    const { db } = await openDevice()
    for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    dropTemporary()
  })

  const begin = () => createChannel({ mode: 'cloud', isTemporary: true })

  it('write nothing to any database: no question, answer, version, draft, queue or outbox entry', async () => {
    const before = JSON.stringify(localStorage)
    const told: unknown[] = []
    vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation((message) => told.push(message))
    const writes = await writesDuring(async () => {
      const { id } = await begin()
      const home = await findHome(id)
      const mId = uuidv7()
      await outbox.add(entryOf(id, mId))
      expect(await outbox.list()).toHaveLength(1)
      await outbox.remove(mId)
      expect(await outbox.list()).toEqual([])
      const message = anAnswer(id, 'When?')
      await home.put(message)
      await home.put(askedAgain(message))
      await home.rename(id, 'Named')
      writeDraft(id, 'typed')
      writeDraft(temporaryDraftId, 'typed too')
      await draftsAreStored()
      expect(await readDraft(id)).toBe('typed')
      expect(await readDraft(temporaryDraftId)).toBe('typed too')
      await putQueued(id, { mId: uuidv7(), text: 'Next?' })
      expect(await readQueue(id)).toHaveLength(1)
      expect(await queuedChannels()).toEqual(new Set([id]))
      await writeReadMark(id, { mId, isOver: true })
      expect(await readReadMark(id)).toMatchObject({ mId })
      const copy = await home
        .branch(id, { mId: (await home.messages(id)).messages[0]?.mId ?? '' })
        .catch(() => undefined)
      expect(copy).toBeUndefined()
      await clearChannel({ ...(await begin()), source: 'indexeddb' }, 'local')
      const answer = anAnswer(id, 'Else?', { afterRunId: null })
      await home.put(answer)
      const branch = await home.branch(id, { mId: answer.mId })
      expect(isTemporary(branch.id)).toBe(true)
      writeDraft(branch.id, 'typed there')
      await draftsAreStored()
      await deleteChannel(id)
    })
    expect(writes).toBe(0)
    expect(told).toEqual([])
    expect(JSON.stringify(localStorage)).toBe(before)
    expect(await localChannels.list()).toEqual([])
  })

  it('are found by their id before the chats of any home, and are gone without trace for the next person', async () => {
    const { id } = await begin()
    expect(isTemporary(id)).toBe(true)
    expect(await findHome(id)).not.toBe(homes.local)
    const changes: string[] = []
    const stop = onChange(({ kind }) => changes.push(kind))
    forgetSession()
    expect(await findHome(id)).toBe(homes.local)
    expect(await (await openTemporary()).store.list()).toEqual([])
    expect(changes).toContain('channels')
    stop()
  })

  it('take nothing into the vault that is typed, queued or asked a moment after they are gone', async () => {
    const { id } = await begin()
    dropTemporary()
    const writes = await writesDuring(async () => {
      writeDraft(id, 'too late')
      await putQueued(id, { mId: uuidv7(), text: 'too late' })
      await outbox.add(entryOf(id, uuidv7()))
      await draftsAreStored()
    })
    expect(writes).toBe(0)
  })

  it('come along with a person who signs in after they began, and leave with that person', async () => {
    forgetSession()
    const { id } = await begin()
    await (await findHome(id)).put(anAnswer(id, 'When?'), { userId: undefined })
    await seedSession()
    expect(hasTemporaryMessages()).toBe(true)
    await (await findHome(id)).put(anAnswer(id, 'And now?'), { userId: storedSession()?.user.id })
    // An answer that the anonymous person began is not written in this person's name.
    await expect((await findHome(id)).put(anAnswer(id, 'Late'), { userId: undefined })).rejects.toMatchObject({
      code: 'channel.not-found',
    })
    expect((await (await findHome(id)).messages(id)).total).toBe(2)
    forgetSession()
    expect(hasTemporaryMessages()).toBe(false)
  })

  it('hold up the end of their tab while something is said in them, and no longer once they are kept', async () => {
    const isHeldUp = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const { id } = await begin()
    expect(isHeldUp()).toBe(false)
    await (await findHome(id)).put(anAnswer(id, 'When?'))
    expect(isHeldUp()).toBe(true)
    await keepTemporary(id)
    expect(isHeldUp()).toBe(false)
  })

  it('hold up no lock of the vault, whose keys have to leave the memory at once', async () => {
    vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    const { id } = await begin()
    await (await findHome(id)).put(anAnswer(id, 'When?'))
    const isHeldUp = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(isHeldUp()).toBe(true)
    lockVault()
    expect(isHeldUp()).toBe(false)
  })

  it('take over what is typed when the home of the next chat is chosen, and nothing of it stays on the disk', async () => {
    writeDraft('new', 'half a thought')
    await draftsAreStored()
    await chooseTemporary(true)
    await draftsAreStored()
    expect(await readDraft(temporaryDraftId)).toBe('half a thought')
    const { db } = await openDevice()
    expect(await db.count('drafts')).toBe(0)
    leaveTemporary()
    expect(await readDraft('new')).toBe('')
    await chooseTemporary(true)
    await chooseTemporary(false)
    await draftsAreStored()
    expect(await readDraft('new')).toBe('half a thought')
    expect(await readDraft(temporaryDraftId)).toBe('')
  })

  it('go when all chats of this device are deleted', async () => {
    await begin()
    await localChannels.create({ assistantId: null })
    expect(await deleteAllChannels('local')).toEqual({ deleted: 2, skipped: 0, failed: 0 })
    expect(await (await openTemporary()).store.list()).toEqual([])
  })

  it('are kept whole: every version, pin, thinking, cost and setting, with the draft and the queue', async () => {
    const { id } = await begin()
    const temporary = await findHome(id)
    const first = anAnswer(id, 'First', { usage: { inputTokens: 3, outputTokens: 5, cost: '12' } })
    await temporary.put(first)
    const again = askedAgain(first)
    await temporary.put(again)
    await temporary.put({ ...answered(again, 'Another'), reasoning: { text: 'Hm.', ms: 1200 } })
    await temporary.put(anAnswer(id, 'Second'))
    await temporary.put(anAnswer(id, 'Edited', { afterRunId: null }))
    await temporary.setPinned(id, first.mId, true)
    await writeReadMark(id, { mId: first.mId, isOver: true })
    await temporary.configure(id, { instructions: 'Be brief.' })
    writeDraft(id, 'half a thought')
    await putQueued(id, { mId: uuidv7(), text: 'Next?' })
    const outline = await temporary.outline(id)
    const shown = await temporary.messages(id)
    const answers = await temporary.message(id, first.mId)

    const kept = await keepTemporary(id)

    expect(kept).toMatchObject({ id, source: 'indexeddb' })
    expect((await localChannels.get(id))?.settings).toEqual({ instructions: 'Be brief.' })
    expect(isTemporary(id)).toBe(false)
    expect(await findHome(id)).toBe(homes.local)
    expect(await localChannels.outline(id)).toEqual(outline)
    expect(await localChannels.messages(id)).toEqual(shown)
    expect(await localChannels.message(id, first.mId)).toEqual(answers)
    expect(await readDraft(id)).toBe('half a thought')
    expect((await readQueue(id)).map(({ text }) => text)).toEqual(['Next?'])
    const { db } = await openDevice()
    expect(await db.count('drafts')).toBe(2)
  })

  it('stay where they are, and leave nothing in the vault, where keeping fails or an answer is being written', async () => {
    const { id } = await begin()
    const temporary = await findHome(id)
    const message = anAnswer(id, 'When?')
    await temporary.put({ ...message, status: 'streaming' })
    await expect(keepTemporary(id)).rejects.toMatchObject({ code: 'channel.answering' })
    await temporary.put(message)
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await expect(keepTemporary(id)).rejects.toMatchObject({ code: 'storage.full' })
    vi.restoreAllMocks()
    expect(await localChannels.list()).toEqual([])
    // A copy that differs is taken back.
    const { importChannel } = LocalChannelStore.prototype
    vi.spyOn(LocalChannelStore.prototype, 'importChannel').mockImplementation(function (
      this: LocalChannelStore,
      ...to
    ) {
      return importChannel.call(this, { ...to[0], assistantId: 'another' }, to[1], to[2])
    })
    await expect(keepTemporary(id)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    vi.restoreAllMocks()
    expect(await localChannels.list()).toEqual([])
    vi.spyOn(LocalChannelStore.prototype, 'removeCopied').mockRejectedValue(new Error('broken'))
    await expect(keepTemporary(id)).rejects.toThrow('broken')
    vi.restoreAllMocks()
    expect(await localChannels.list()).toEqual([])
    expect((await temporary.messages(id)).messages).toHaveLength(1)
    await keepTemporary(id)
    expect((await localChannels.messages(id)).messages).toHaveLength(1)
  })
})
