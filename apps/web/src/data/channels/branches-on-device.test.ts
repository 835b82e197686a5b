import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import type { Device } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { anAnswer, answered, askedAgain, restored } from './version-suite'

let channelId = ''
let device: Device
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  device = await openDevice()
  for (const name of device.db.objectStoreNames) if (name !== 'meta') await device.db.clear(name)
  channelId = (await localChannels.create({ assistantId: null, channelName: 'Plans' })).id
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

const ask = async (text: string, fields: Partial<Message> = {}, store = localChannels): Promise<Message> => {
  const message = anAnswer(channelId, text, fields)
  await store.put(message)
  return message
}
const find = async (mId: string): Promise<Message> => {
  const message = await localChannels.message(channelId, mId)
  if (!message) throw new Error('no message')
  return message
}
const edit = async ({ mId }: Message, text: string): Promise<Message> =>
  ask(text, { afterRunId: (await find(mId)).afterRunId ?? null })
const againOf = async ({ mId }: Message): Promise<Message> => {
  const again = askedAgain(await find(mId))
  await localChannels.put(again)
  return again
}
const said = async (id = channelId): Promise<string[]> =>
  (await localChannels.messages(id, { limit: 200 })).messages.map(({ chat_response }) => chat_response.content)
const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId
const chatOf = async () => (await device.db.getAll('chats')).find((chat) => chat.channelId === channelId)

describe('an answer that was asked for anew and brings nothing', () => {
  it('leaves the head where it was, with all that followed', async () => {
    const [one] = [await ask('one'), await ask('two'), await ask('three')]
    const again = await againOf(one)
    expect(await said()).toEqual([''])
    await localChannels.put(restored(again))
    expect(await said()).toEqual(['one!', 'two!', 'three!'])
    expect((await find(one.mId)).versions).toBeUndefined()
    await ask('four')
    expect(await said()).toEqual(['one!', 'two!', 'three!', 'four!'])
  })

  it('does so where an older answer was shown, and shows that one again', async () => {
    const one = await ask('one')
    await localChannels.put(answered(await againOf(one), 'Better'))
    await localChannels.show(channelId, { mId: one.mId, runId: runIdOf(one) })
    await ask('two')
    await localChannels.put(restored(await againOf(one)))
    expect(await said()).toEqual(['one!', 'two!'])
    expect((await find(one.mId)).versions?.answers).toHaveLength(2)
  })

  it('does so where the answer of before had failed', async () => {
    const one = await ask('one', { chat_response: { role: 'assistant', content: '' }, status: 'failed' })
    await ask('two')
    await localChannels.put(restored(await againOf(one)))
    expect(await said()).toEqual(['', 'two!'])
  })

  it('does so after the page was closed in between, with the answer of before at hand', async () => {
    const [one] = [await ask('one'), await ask('two')]
    const again = await againOf(one)
    const reloaded = new LocalChannelStore({ open: openDevice })
    const waiting = await reloaded.message(channelId, one.mId, runIdOf(again))
    expect(waiting).toMatchObject({ status: 'queued', run: { previous: { chat_response: { content: 'one!' } } } })
    await reloaded.put(restored(waiting as Message))
    expect(await said()).toEqual(['one!', 'two!'])
  })

  it('moves nobody who has chosen another version meanwhile', async () => {
    const [one, two] = [await ask('one'), await ask('two')]
    const other = await edit(two, 'other')
    const again = await againOf(one)
    await localChannels.show(channelId, { mId: two.mId })
    await localChannels.put(restored(again))
    expect(await said()).toEqual(['one!', 'two!'])
    await localChannels.show(channelId, { mId: other.mId })
    expect(await said()).toEqual(['one!', 'other!'])
  })
})

it('an answer that is written while another version is read is found by its run, and shows up nowhere else', async () => {
  const one = await ask('one')
  await ask('two')
  const again = await againOf(one)
  await localChannels.show(channelId, { mId: one.mId, runId: runIdOf(one) })
  await localChannels.put({ ...answered(again, 'So far'), status: 'streaming' })
  expect(await said()).toEqual(['one!', 'two!'])
  expect(await localChannels.message(channelId, one.mId, runIdOf(again))).toMatchObject({
    ...{ status: 'streaming', chat_response: { content: 'So far' } },
  })
  expect(await localChannels.message(channelId, one.mId, uuidv7())).toBeUndefined()
})

it('an answer that goes on takes what followed along', async () => {
  const one = await ask('one', { status: 'interrupted' })
  const two = await ask('two')
  await edit(two, 'other')
  const before = await find(one.mId)
  const run = { messageId: uuidv7(), seq: 3, base: 'one!'.length, question: 'Go on' }
  await localChannels.put({ ...before, chat_response: { role: 'assistant', content: 'one! And more' }, run })
  expect(await said()).toEqual(['one! And more', 'other!'])
  await localChannels.show(channelId, { mId: two.mId })
  expect(await said()).toEqual(['one! And more', 'two!'])
  expect((await find(one.mId)).versions).toBeUndefined()
})

it('a line whose earlier answers were asked for anew stays the line that people read when it gets a branch', async () => {
  const [one] = [await ask('one'), await ask('two'), await ask('three')]
  const [record] = await device.db.getAll('runs')
  if (!record) throw new Error('no run')
  // As versions before wrote it: another run, and no head.
  const again = askedAgain(await find(one.mId))
  await localChannels.put(answered(again, 'Better'))
  const { head: _head, back: _back, follows: _follows, ...line } = (await chatOf()) ?? ({} as never)
  await device.db.put('chats', line)
  expect(await said()).toEqual(['Better', 'two!', 'three!'])
  const three = (await localChannels.messages(channelId)).messages.at(-1) as Message
  const other = await edit(three, 'other')
  expect(await said()).toEqual(['Better', 'two!', 'other!'])
  await localChannels.removeBranch(channelId, other.mId)
  expect(await said()).toEqual(['Better', 'two!', 'three!'])
})

it('two tabs that edit, ask and choose at once leave a path that holds, and lose nothing', async () => {
  const one = await ask('one')
  const two = await ask('two')
  const tabs = [1, 2].map(() => new LocalChannelStore({ open: openDevice }))
  const afterRunId = (await find(two.mId)).afterRunId ?? null
  await Promise.all([
    ...tabs.map((tab, n) => ask(`edited ${n}`, { afterRunId }, tab)),
    ...tabs.map((tab, n) => ask(`asked ${n}`, {}, tab)),
    tabs[0]?.show(channelId, { mId: two.mId }),
    tabs[1]?.show(channelId, { mId: one.mId }),
  ])
  const outline = await localChannels.outline(channelId)
  expect(outline.map(({ text }) => text).toSorted()).toEqual([
    ...['asked 0', 'asked 1', 'edited 0', 'edited 1', 'one', 'two'],
  ])
  const path = outline.filter(({ isShown }) => isShown)
  for (const [index, entry] of path.entries()) expect(entry.afterMId).toBe(path[index - 1]?.mId ?? null)
})

describe('what cannot be read in a branch', () => {
  const spoil = async (table: 'exchanges' | 'runs', mId: string, isNewer: boolean): Promise<void> => {
    for (const record of await device.db.getAll(table)) {
      if (('exchangeId' in record ? record.exchangeId : record.id) !== mId) continue
      const changed = isNewer
        ? { ...record, v: record.v + 1 }
        : { ...record, c: new Uint8Array(record.c).fill(7).buffer }
      await device.db.put(table, changed as never)
    }
  }
  const bytes = async () =>
    JSON.stringify(
      [...(await device.db.getAll('exchanges')), ...(await device.db.getAll('runs'))].map((record) => [
        ...[record.id, record.v, [...record.n], [...new Uint8Array(record.c)]],
      ]),
    )

  it.each([
    ['exchanges', false, 'storage.unreadable'],
    ['exchanges', true, 'storage.newer-version'],
    ['runs', false, 'storage.unreadable'],
    ['runs', true, 'storage.newer-version'],
  ] as const)(
    'is never removed, written over or left out of a copy: %s, of a later version: %s',
    async (table, isNewer, code) => {
      const [one, two] = [await ask('one'), await ask('two')]
      const three = await ask('three')
      const other = await edit(two, 'other')
      await localChannels.show(channelId, { mId: two.mId })
      await spoil(table, two.mId, isNewer)
      const before = await bytes()
      await expect(localChannels.removeBranch(channelId, two.mId)).rejects.toMatchObject({ code })
      await expect(localChannels.branch(channelId, { mId: three.mId })).rejects.toMatchObject({ code })
      if (table === 'exchanges')
        await expect(localChannels.setPinned(channelId, two.mId, true)).rejects.toMatchObject({ code })
      expect(await bytes()).toBe(before)
      expect(await localChannels.list()).toHaveLength(1)
      const { messages } = await localChannels.messages(channelId)
      expect(messages.map(({ mId }) => mId)).toEqual([one.mId, two.mId, three.mId])
      expect(messages[1]).toMatchObject({ error: { code }, versions: { questions: [two.mId, other.mId] } })
      await localChannels.show(channelId, { mId: other.mId })
      expect(await said()).toEqual(['one!', 'other!'])
      await localChannels.removeBranch(channelId, other.mId)
      expect((await localChannels.messages(channelId)).messages.map(({ mId }) => mId)).toContain(two.mId)
      const texts = (await localChannels.outline(channelId)).map(({ text }) => text)
      expect(texts).toEqual(['one', table === 'exchanges' ? '' : 'two', 'three'])
    },
  )

  it('hangs on what can be read, and can be followed by an edit', async () => {
    const [one, two] = [await ask('one'), await ask('two')]
    await spoil('exchanges', one.mId, false)
    await spoil('runs', one.mId, false)
    await edit(two, 'other')
    expect(await said()).toEqual(['', 'other!'])
    await localChannels.show(channelId, { mId: two.mId })
    expect(await said()).toEqual(['', 'two!'])
  })
})
