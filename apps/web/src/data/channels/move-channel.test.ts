import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { type ExchangeWithRuns, recordsOf } from '@parley/contract/message-adapter'
import { textOf } from '@parley/contract/parts'
import { headOf } from '@parley/contract/tree-copies'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aTreeCloud, lineOf } from '../../testing/tree-cloud'
import { bareMessage } from './bare-message'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'
import { readMoveDirection } from './move-direction'

const at = '2026-01-01T00:00:00.000Z'
const aChannel: Channel = {
  id: 'c1',
  userId: null,
  channelName: 'Plans',
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: true,
  source: 'indexeddb',
}
const inCloud: Channel = { ...aChannel, isLocalChannel: false, source: 'postgresql' }
const said = (...texts: string[]): Message[] =>
  texts.map((text) => aMessage('c1', { mId: `m-${text}`, chat_request: text, datetime: at }))
const onDevice = async (): Promise<Message[]> => (await localChannels.messages('c1', { limit: 1_000 })).messages

let cloud: ReturnType<typeof aTreeCloud>
beforeEach(() => {
  cloud = aTreeCloud(aChannel)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await localChannels.removeAll()
})

/** The cloud has a copy with these messages. */
const fill = (messages: readonly Message[]): void => {
  Object.assign(cloud, { channel: inCloud, exchanges: lineOf(messages), head: null })
}

it('goes on with a move to the cloud that was cut off', async () => {
  const messages = said('one', 'two', 'three')
  await localChannels.importChannel(aChannel, messages)
  fill(messages.slice(0, 1))
  await moveToCloud(aChannel)
  expect(cloud.messages()).toEqual(messages)
  expect(cloud.head).toBeNull()
  expect(await localChannels.list()).toEqual([])
})

/** The same exchange as it stands after a run that began at this minute. */
const written = (message: Message | undefined, minute: number, content: string): Message => {
  if (!message) throw new Error('no message')
  const run = { messageId: uuidv7(Date.parse(at) + 60_000 * minute), seq: 3, base: 0 }
  return { ...message, run, chat_response: { role: 'assistant', content } }
}
const texts = (messages: readonly Message[]): string[] => messages.map(({ chat_response }) => chat_response.content)
const answersIn = (exchanges: readonly ExchangeWithRuns[]): string[][] =>
  exchanges.map(({ runs }) => runs.map(({ answer }) => textOf(answer)))

describe('a chat that went on in both homes', () => {
  const [one, two, three, four] = said('one', 'two', 'three', 'four')
  const same = written(one, 1, 'one, once')
  const older = [same, written(two, 2, 'two, once'), written(three, 3, 'three')]
  const newer = [same, written(two, 4, 'two, anew'), written(four, 5, 'four')]

  it.each([
    ['device', newer, older],
    ['cloud', older, newer],
  ])(
    'has every version of both in the cloud, and shows the later one, where that is on the %s',
    async (_, here, there) => {
      await localChannels.importChannel(aChannel, here)
      fill(there)
      await moveToCloud(aChannel)
      expect(texts(cloud.messages())).toEqual(['one, once', 'two, anew', 'four'])
      expect(answersIn(cloud.exchanges).toSorted()).toEqual([
        ...[['four'], ['one, once'], ['three'], ['two, once', 'two, anew']],
      ])
      expect(await localChannels.list()).toEqual([])
    },
  )

  it.each([
    ['device', newer, older],
    ['cloud', older, newer],
  ])(
    'has every version of both on the device, and shows the later one, where that is on the %s',
    async (_, here, there) => {
      await localChannels.importChannel(aChannel, here)
      fill(there)
      await moveToDevice(inCloud)
      expect(texts(await onDevice())).toEqual(['one, once', 'two, anew', 'four'])
      const whole = await localChannels.readWhole('c1')
      expect(answersIn(whole?.exchanges ?? []).toSorted()).toEqual([
        ...[['four'], ['one, once'], ['three'], ['two, once', 'two, anew']],
      ])
      expect(cloud.channel).toBeUndefined()
    },
  )

  it('shows what stands between two messages of the other copy between them', async () => {
    await localChannels.importChannel(aChannel, [same, ...older.slice(2)])
    fill(older)
    await moveToDevice(inCloud)
    expect(texts(await onDevice())).toEqual(['one, once', 'two, once', 'three'])
    expect((await localChannels.readWhole('c1'))?.head).toBeUndefined()
  })

  it('keeps both states of an answer where nothing tells which is later, however often it is moved', async () => {
    if (!one) throw new Error('no message')
    const stopped: Message = { ...one, status: 'stopped' }
    fill([one])
    for (let time = 0; time < 2; time++) {
      await localChannels.importChannel(aChannel, [stopped])
      await moveToCloud(aChannel)
    }
    const statuses = (exchanges: readonly ExchangeWithRuns[] = []) =>
      exchanges.map(({ runs }) => runs.map(({ status }) => status).toSorted())
    expect(statuses(cloud.exchanges)).toEqual([['completed', 'stopped']])
    await moveToDevice(inCloud)
    expect(statuses((await localChannels.readWhole('c1'))?.exchanges)).toEqual([['completed', 'stopped']])
  })

  it('has the later state of an answer of which one copy has more', async () => {
    const [begun] = [
      { ...same, status: 'interrupted' as const, chat_response: { role: 'assistant' as const, content: 'one' } },
    ]
    const whole = { ...same, run: { messageId: same.run?.messageId ?? '', seq: 9, base: 0 } }
    for (const [here, there] of [
      [begun, whole],
      [whole, begun],
    ] as const) {
      await localChannels.importChannel(aChannel, [here])
      fill([there])
      await moveToCloud(aChannel)
      expect(answersIn(cloud.exchanges)).toEqual([['one, once']])
    }
  })

  it('stays in both, with its direction, when the move is cut off before the removal, and the next time loses nothing', async () => {
    await localChannels.importChannel(aChannel, newer)
    fill(older)
    vi.spyOn(localChannels, 'removeCopied').mockRejectedValueOnce(new Error('the tab was closed'))
    await expect(moveToCloud(aChannel)).rejects.toThrow('the tab was closed')
    expect(await readMoveDirection('c1')).toBe('cloud')
    expect(texts(await onDevice())).toEqual(texts(newer))
    await localChannels.put(written(said('late')[0], 7, 'late'))
    const elsewhere = recordsOf(written(said('elsewhere')[0], 6, 'elsewhere'), headOf(cloud))
    cloud.exchanges.push(elsewhere)
    cloud.head = elsewhere.runs[0]?.id ?? null
    await moveToCloud(aChannel)
    expect(texts(cloud.messages())).toEqual(['one, once', 'two, anew', 'four', 'late'])
    expect(answersIn(cloud.exchanges).flat().toSorted()).toEqual([
      ...['elsewhere', 'four', 'late', 'one, once', 'three', 'two, anew', 'two, once'],
    ])
    expect(await localChannels.list()).toEqual([])
    expect(await readMoveDirection('c1')).toBeUndefined()
  })

  it('keeps the device its copy until the cloud has told all of it', async () => {
    await localChannels.importChannel(aChannel, newer)
    fill(older)
    vi.mocked(cloudChannels.addTree).mockResolvedValue()
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    expect(texts(await onDevice())).toEqual(texts(newer))
    expect(texts(cloud.messages())).toEqual(texts(older))
  })

  it.each([
    [
      'one version is missing',
      (copy: ExchangeWithRuns[]) => copy.map((each) => ({ ...each, runs: each.runs.slice(-1) })),
    ],
    ['a message is missing', (copy: ExchangeWithRuns[]) => copy.slice(0, -1)],
    [
      'a message follows another one',
      (copy: ExchangeWithRuns[]) => copy.map((each) => ({ ...each, exchange: { ...each.exchange, afterRunId: null } })),
    ],
  ])('keeps the device its copy where in the cloud %s', async (_, spoil) => {
    await localChannels.importChannel(
      aChannel,
      lineOf([same, ...older.slice(1)]).map((each, index) =>
        index === 1 ? { ...each, runs: [{ ...(each.runs[0] as Run), id: uuidv7(1), answer: [] }, ...each.runs] } : each,
      ),
    )
    const page = vi.mocked(cloudChannels.treePage).getMockImplementation()
    vi.mocked(cloudChannels.treePage).mockImplementation(async (id) => {
      const told = await page?.(id)
      if (!told) throw new Error('no cloud')
      return told.exchanges.length < 3 ? told : { ...told, exchanges: spoil(told.exchanges) }
    })
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    expect(await onDevice()).toHaveLength(3)
  })

  it('waits for an answer that the cloud is writing', async () => {
    await localChannels.importChannel(aChannel, newer)
    const writing: Message = { ...written(two, 6, 'two, a'), status: 'streaming' }
    fill([writing])
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.answering' })
    expect(texts(cloud.messages())).toEqual(['two, a'])
    expect(await onDevice()).toHaveLength(3)
    await localChannels.remove('c1')
    await expect(moveToDevice(inCloud)).rejects.toMatchObject({ code: 'channel.answering' })
    expect(await localChannels.list()).toEqual([])
  })

  it('notes where a move to the device was to go until the cloud has deleted its copy', async () => {
    fill(older)
    vi.mocked(cloudChannels.remove).mockRejectedValueOnce(new AppError('network'))
    await expect(moveToDevice(inCloud)).rejects.toMatchObject({ code: 'network' })
    expect(await readMoveDirection('c1')).toBe('local')
    await moveToDevice(inCloud)
    expect(await readMoveDirection('c1')).toBeUndefined()
    expect(texts(await onDevice())).toEqual(texts(older))
  })
})

it('names the message that the cloud refuses, and keeps the chat on the device', async () => {
  const messages = said('one', 'refused', 'three')
  await localChannels.importChannel(aChannel, messages)
  await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.message-refused', question: 'refused' })
  expect((await onDevice()).map(bareMessage)).toEqual(messages)
})

it('keeps the chat on the device when something is written there while it moves', async () => {
  const messages = said('one')
  await localChannels.importChannel(aChannel, messages)
  const [late] = said('late')
  const create = vi.mocked(cloudChannels.create).getMockImplementation()
  vi.mocked(cloudChannels.create).mockImplementation(async (wanted) => {
    if (late) await localChannels.put(late)
    if (!create) throw new Error('no cloud')
    return create(wanted)
  })
  await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
  expect((await onDevice()).map(({ chat_request }) => chat_request)).toEqual(['one', 'late'])
})

it.each([
  ['said', () => fill(said('one', 'late'))],
  [
    'answered anew',
    () => {
      const [first] = lineOf(said('one'))
      const run = { ...(first?.runs[0] as Run), id: uuidv7(), startedAt: '2026-01-02T00:00:00.000Z' }
      if (first) cloud.exchanges = [{ ...first, runs: [...first.runs, run] }]
    },
  ],
])(
  'keeps the chat in the cloud when something is %s there while it moves, and takes it along the next time',
  async (_, change) => {
    fill(said('one'))
    const importChannel = localChannels.importChannel.bind(localChannels)
    vi.spyOn(localChannels, 'importChannel').mockImplementationOnce(async (...given) => {
      await importChannel(...given)
      change()
    })
    await expect(moveToDevice(inCloud)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    const there = answersIn(cloud.exchanges)
    await moveToDevice(inCloud)
    expect(cloud.channel).toBeUndefined()
    expect(answersIn((await localChannels.readWhole('c1'))?.exchanges ?? [])).toEqual(there)
  },
)
