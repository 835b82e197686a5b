import { beforeEach, describe, expect, it } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import { aMessage } from '../channels/channel-store-suite'
import { localChannels } from '../channels/local-channels'
import { forgetSession } from '../session/stored-session'
import { checkFile, importData } from './import-data'
import { deviceRecords, putDeviceRecord } from './record-store'
import { aChannel, all, everything, exported, imported, wipe, work } from './transfer-suite'

beforeEach(async () => {
  forgetSession()
  await wipe()
})

describe('what exists already', () => {
  async function changedSince() {
    const { id } = await aChannel('Plans', 'old question')
    const file = await exported({ types: ['channels', 'chats'] })
    await localChannels.rename(id, 'Renamed since')
    await localChannels.clear(id)
    await localChannels.put(aMessage(id, { chat_request: 'new question' }))
    const questions = async () => (await localChannels.messages(id)).messages.map(({ chat_request }) => chat_request)
    const name = async () => (await localChannels.get(id))?.channelName
    return { file, questions, name }
  }

  it('is replaced with overwrite, which is what the specification begins with [ST-188, ST-190]', async () => {
    const { file, questions, name } = await changedSince()
    expect(await imported(file)).toMatchObject({ channelsImported: 1, chatsImported: 1, skipped: 0 })
    expect([await name(), await questions()]).toEqual(['Plans', ['old question']])
  })

  it('stays with skip [ST-188]', async () => {
    const { file, questions, name } = await changedSince()
    expect(await imported(file, { strategy: 'skip' })).toMatchObject({
      channelsImported: 0,
      chatsImported: 0,
      skipped: 1,
    })
    expect([await name(), await questions()]).toEqual(['Renamed since', ['new question']])
  })

  it('gets what it lacks with merge, once [ST-189]', async () => {
    const { file, questions, name } = await changedSince()
    expect(await imported(file, { strategy: 'merge' })).toMatchObject({
      channelsImported: 0,
      chatsImported: 1,
      skipped: 1,
    })
    expect([await name(), await questions()]).toEqual(['Renamed since', ['new question', 'old question']])
    expect(await imported(file, { strategy: 'merge' })).toMatchObject({ chatsImported: 0 })
    expect(await questions()).toHaveLength(2)
  })

  it('has the settings of the file with overwrite, and its own otherwise', async () => {
    const { id } = await aChannel('Plans', 'old question')
    const settings = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' } as const
    await localChannels.configure(id, settings)
    const before = await everything()
    const file = await exported()
    const now = async () => (await localChannels.get(id))?.settings
    for (const strategy of ['skip', 'merge'] as const) {
      await localChannels.configure(id, { effort: 'low' })
      await imported(file, { strategy })
      expect(await now(), strategy).toEqual({ ...settings, effort: 'low' })
    }
    await imported(file, { types: ['channels'] })
    expect(await now()).toEqual(settings)
    await wipe()
    await imported(file)
    expect(await everything()).toEqual(before)
  })

  it('stays when it is locked, which is among the errors [CH-087]', async () => {
    const { id } = await aChannel('Plans', 'old question')
    const file = await exported()
    await localChannels.setLocked(id, true)
    await localChannels.put(aMessage(id, { chat_request: 'new question' }))
    expect(await imported(file)).toMatchObject({
      channelsImported: 0,
      skipped: 1,
      errors: [{ type: 'channels', label: 'Plans', reason: 'locked' }],
    })
    expect((await localChannels.messages(id)).messages).toHaveLength(2)
  })

  it('is the same for assistants, documents and users [ST-181, ST-188, ST-189]', async () => {
    await seedSession(aUser({ id: '0193f000-0000-7000-8000-0000000000aa' }))
    for (const type of ['assistants', 'documents', 'users'] as const)
      await putDeviceRecord(type, { id: 'one', name: 'of then' }, true)
    const file = await exported()
    for (const type of ['assistants', 'documents', 'users'] as const)
      await putDeviceRecord(type, { id: 'one', name: 'of now' }, true)
    expect(await imported(file, { strategy: 'skip' })).toMatchObject({
      assistantsImported: 0,
      documentsImported: 0,
      usersImported: 0,
      skipped: 3,
    })
    expect(await deviceRecords('users')).toEqual([{ id: 'one', name: 'of now' }])
    expect(await imported(file)).toMatchObject({
      assistantsImported: 1,
      documentsImported: 1,
      usersImported: 1,
      skipped: 0,
    })
    for (const type of ['assistants', 'documents', 'users'] as const)
      expect(await deviceRecords(type)).toEqual([{ id: 'one', name: 'of then' }])
  })
})

describe('an import', () => {
  it('leaves whole channels when it is cancelled, and the same file can be imported again', async () => {
    for (let n = 0; n < 6; n++) await aChannel(`Channel ${n}`, 'one', 'two', 'three')
    const before = await everything()
    const file = await exported()
    await wipe()
    const good = await checkFile(file, undefined, work)
    const controller = new AbortController()
    const put = localChannels.importChannel.bind(localChannels)
    let written = 0
    localChannels.importChannel = async (...args) => {
      await put(...args)
      written++
      if (written === 3) controller.abort()
    }
    try {
      const cancelled = importData(
        good,
        { types: all, strategy: 'overwrite', target: 'local' },
        { onProgress: () => undefined, signal: controller.signal },
      )
      await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    } finally {
      localChannels.importChannel = put
    }
    const there = await localChannels.list()
    expect(there).toHaveLength(3)
    for (const { id } of there) expect((await localChannels.messages(id)).messages).toHaveLength(3)
    await importData(good, { types: all, strategy: 'skip', target: 'local' }, work)
    expect(await everything()).toEqual(before)
  })

  it.each(['skip', 'overwrite', 'merge'] as const)(
    'to a device that is full anywhere leaves whole chats, and is whole once there is room, with %s',
    async (strategy) => {
      for (let n = 0; n < 3; n++) await aChannel(`Channel ${n}`, 'one', 'two')
      const before = await everything()
      const good = await checkFile(await exported(), undefined, work)
      const into = { types: all, strategy, target: 'local' } as const
      const { put } = IDBObjectStore.prototype
      const { add } = IDBObjectStore.prototype
      let room = 0
      const bounded = (write: typeof put): typeof put =>
        function (this: IDBObjectStore, ...args) {
          if (room-- <= 0) throw new DOMException('full', 'QuotaExceededError')
          return write.apply(this, args)
        }
      let cutOff = 0
      for (let writes = 0; ; writes += 5) {
        await wipe()
        room = writes
        IDBObjectStore.prototype.put = bounded(put)
        IDBObjectStore.prototype.add = bounded(add)
        const failure = await importData(good, into, work)
          .then(() => undefined)
          .catch((error: unknown) => error)
          .finally(() => Object.assign(IDBObjectStore.prototype, { put, add }))
        if (failure === undefined) break
        cutOff++
        expect(failure).toMatchObject({ code: 'storage.full' })
        for (const { id } of await localChannels.list())
          expect((await localChannels.messages(id)).messages).toHaveLength(2)
        await importData(good, into, work)
        expect(await everything()).toEqual(before)
      }
      expect(cutOff).toBeGreaterThan(2)
    },
  )

  it('does not go on for somebody else than who chose the file [ST-196]', async () => {
    await seedSession()
    await aChannel('Mine', 'secret')
    const file = await exported()
    const good = await checkFile(file, undefined, work)
    forgetSession()
    const lost = importData(good, { types: all, strategy: 'overwrite', target: 'local' }, work)
    await expect(lost).rejects.toMatchObject({
      code: 'transfer.no-user',
      message: 'No user ID available for channel import',
    })
    expect(await localChannels.list()).toEqual([])
  })

  it('makes the chats the current person’s [CH-139]', async () => {
    const { id } = await aChannel('Mine', 'one')
    const file = await exported()
    const user = await seedSession()
    await wipe()
    await imported(file)
    expect(await localChannels.get(id)).toMatchObject({ userId: user.id, isLocalChannel: true })
    await wipe()
  })
})

describe('a part of a file', () => {
  const metadata = { exportedAt: '2026-01-01T00:00:00.000Z', version: '1.0' }
  const message = (mId: string) => ({ mId, chat_request: mId })
  const file = (content: object): File => new File([JSON.stringify({ metadata, ...content })], 'data.json')
  const questions = async (id: string) =>
    (await localChannels.messages(id)).messages.map(({ chat_request }) => chat_request)

  it('channels alone are renamed and keep their messages [ST-187]', async () => {
    const { id } = await aChannel('Plans', 'one')
    const whole = await exported()
    await localChannels.rename(id, 'Renamed since')
    await localChannels.put(aMessage(id, { chat_request: 'two' }))
    expect(await imported(whole, { types: ['channels'] })).toMatchObject({ channelsImported: 1 })
    expect((await localChannels.get(id))?.channelName).toBe('Plans')
    expect(await questions(id)).toEqual(['one', 'two'])
  })

  it('chats alone go into the channels that are here, and nowhere else [ST-187]', async () => {
    const { id } = await aChannel('Plans', 'one')
    const chats = [
      { channelId: id, messages: [message('a')] },
      { channelId: 'elsewhere', messages: [message('b'), message('c')] },
    ]
    const summary = await imported(file({ chats }), { types: ['chats'], strategy: 'merge' })
    expect(summary).toMatchObject({ channelsImported: 0, chatsImported: 1, skipped: 2 })
    expect(await questions(id)).toEqual(['one', 'a'])
    expect(await localChannels.list()).toHaveLength(1)
  })

  it('a chat that stands in several places of a file is one chat', async () => {
    const chats = [
      { channelId: 'c1', messages: [message('a'), message('b')] },
      { channelId: 'c2', messages: [message('x')] },
      { channelId: 'c1', messages: [message('b'), message('c')] },
    ]
    const channels = ['c1', 'c2'].map((id) => ({ id, channelName: id }))
    // The chats may come before their channels.
    for (const content of [
      { channels, chats },
      { chats, channels },
    ]) {
      await wipe()
      expect(await imported(file(content))).toMatchObject({ channelsImported: 2, chatsImported: 4 })
      expect(await questions('c1')).toEqual(['a', 'b', 'c'])
    }
  })
})
