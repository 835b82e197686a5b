import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { type ConversationCopy, tidied } from '@parley/contract/tree-copies'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { aTreeCloud } from '../../testing/tree-cloud'
import type { Device } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { storeForUndo, undoImport } from '../transfer/undo-import'
import { openDevice } from '../vault/open-device'
import { copyOf } from './chat-records'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'
import { anAnswer, answered, askedAgain } from './version-suite'

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

const ask = async (text: string, fields: Partial<Message> = {}): Promise<Message> => {
  const message = anAnswer(channelId, text, fields)
  await localChannels.put(message)
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
const said = async (): Promise<string[]> =>
  (await localChannels.messages(channelId, { limit: 200 })).messages.map(({ chat_response }) => chat_response.content)
const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId

describe('moves of a chat with branches', () => {
  /** What is in a chat, wherever it is. */
  const told = (copy: ConversationCopy) => {
    const { exchanges, head } = tidied(copy)
    return { exchanges, head }
  }
  const whole = async (): Promise<ConversationCopy> => {
    const found = await localChannels.readWhole(channelId)
    if (!found) throw new Error('no chat')
    return copyOf(found)
  }

  it('take every version there and back, with what is shown, pinned, thought and used', async () => {
    const [one, two] = [await ask('one'), await ask('two', { reasoning: { text: 'Why two?', ms: 40 } })]
    const other = await edit(two, 'other')
    await localChannels.put(answered(await againOf(other), 'Better'))
    await localChannels.setPinned(channelId, one.mId, true)
    await localChannels.show(channelId, { mId: other.mId, runId: runIdOf(other) })
    const before = await whole()
    const channel = (await localChannels.get(channelId)) as Channel
    const cloud = aTreeCloud(channel)
    await moveToCloud(channel)
    expect(told(cloud)).toEqual(before)
    expect(await device.db.count('runs')).toBe(0)
    await moveToDevice(cloud.channel as Channel)
    expect(await whole()).toEqual(before)
    expect(await said()).toEqual(['one!', 'other!'])
  })

  it('leave what is deleted in the cloud behind, with all that followed it in its place', async () => {
    const [one, two] = [await ask('one'), await ask('two')]
    const [three, other] = [await ask('three'), await edit(two, 'other')]
    const channel = (await localChannels.get(channelId)) as Channel
    const cloud = aTreeCloud(channel)
    await moveToCloud(channel)
    const removedAt = '2026-01-01T00:00:00.000Z'
    cloud.exchanges = cloud.exchanges.map((each) =>
      each.exchange.id === two.mId
        ? {
            exchange: { ...each.exchange, question: [], removedAt },
            runs: each.runs.map((run) => ({ ...run, answer: [], removedAt })),
          }
        : each,
    )
    vi.mocked(cloudChannels.remove).mockResolvedValue()
    await moveToDevice(cloud.channel as Channel)
    expect((await localChannels.outline(channelId)).map(({ mId, afterMId }) => [mId, afterMId])).toEqual([
      ...[
        [one.mId, null],
        [three.mId, one.mId],
        [other.mId, one.mId],
      ],
    ])
    expect(cloudChannels.remove).toHaveBeenCalledWith(channelId, expect.objectContaining({ total: 3, runs: 3 }))
  })

  it('as an import that is undone come back with every branch and the head', async () => {
    const two = [await ask('one'), await ask('two')][1] as Message
    const other = await edit(two, 'other')
    await localChannels.show(channelId, { mId: two.mId })
    const whole = await localChannels.readWhole(channelId)
    if (!whole) throw new Error('no chat')
    const { channel, messages, exchanges, head } = whole
    await storeForUndo(
      { channel, messages, exchanges, ...(head === undefined ? {} : { head }) },
      new Date().toISOString(),
    )
    await localChannels.importChannel(channel, [anAnswer(channelId, 'new')], { isReplacing: true })
    expect(await said()).toEqual(['new!'])
    await undoImport()
    expect(await said()).toEqual(['one!', 'two!'])
    await localChannels.show(channelId, { mId: other.mId })
    expect(await said()).toEqual(['one!', 'other!'])
  })
})
