import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { answerOf } from '@parley/contract/answer-parts'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { textOf } from '@parley/contract/parts'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { aTreeCloud } from '../../testing/tree-cloud'
import type { RunRecord } from '../local/database'
import { forgetSession } from '../session/stored-session'
import { storeForUndo, undoImport } from '../transfer/undo-import'
import { openDevice } from '../vault/open-device'
import { bareMessage } from './bare-message'
import { deleteAllChannels, deleteChannel } from './channel-actions'
import { aMessage } from './channel-store-suite'
import { chatIdOf } from './chat-keys'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'

let channelId = ''
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  const { db } = await openDevice()
  for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
  channelId = (await localChannels.create({ assistantId: null, channelName: 'Plans' })).id
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

const answer = (content: string): Message['chat_response'] => ({ role: 'assistant', content })
const usageOf = (n: number) => ({ inputTokens: n, outputTokens: n, cost: String(n * 1_000) })

/** As the chat asks: the question alone, and its run. */
function asked(): Message {
  const mId = uuidv7()
  return aMessage(channelId, {
    ...{ mId, chat_response: answer(''), status: 'queued', run: { messageId: mId, seq: 0, base: 0 } },
  })
}

/** As the chat asks again, for another answer or for the rest of this one. */
function askedAgain(message: Message, isContinued: boolean): Message {
  const { usage, error: _error, finishReason: _reason, ...rest } = message
  const previous = answerOf(message)
  const { content } = message.chat_response
  const run = {
    ...{ messageId: uuidv7(), seq: 0, base: isContinued ? content.length : 0 },
    ...(isContinued ? { question: 'Continue' } : {}),
    ...(isContinued && usage ? { used: usage } : {}),
    ...(previous ? { previous } : {}),
  }
  return { ...rest, chat_response: answer(isContinued ? content : ''), status: 'queued', run }
}

const runOf = ({ run }: Message): NonNullable<Message['run']> => {
  if (!run) throw new Error('no run')
  return run
}

/** As an answer that arrives. */
function written(message: Message, text: string, fields: Partial<Message>): Message {
  const { previous, ...run } = runOf(message)
  return {
    ...{ ...message, chat_response: answer(message.chat_response.content.slice(0, run.base) + text), ...fields },
    run: { ...run, seq: run.seq + 1, ...(previous && text === '' ? { previous } : {}) },
  }
}

const withoutUsage = (run: Message['run']) => {
  const { used: _used, previous, ...rest } = run ?? {}
  return { ...rest, previous: previous && { ...previous, usage: undefined } }
}

const readMessage = async (mId: string): Promise<Message | undefined> => {
  const message = await localChannels.message(channelId, mId)
  return message && bareMessage(message)
}
const exchangesIn = async (id = channelId) => (await localChannels.readWhole(id))?.exchanges ?? []
const answersIn = async (id = channelId) =>
  (await exchangesIn(id)).map(({ runs }) => runs.map((run) => textOf(run.answer)))

/** An exchange with three answers, the last of which is shown. */
async function withVersions(): Promise<Message> {
  let message = written(asked(), 'First', { status: 'completed', usage: usageOf(1) })
  await localChannels.put(message)
  for (const text of ['Second', 'Third']) {
    message = askedAgain(message, false)
    await localChannels.put(message)
    message = written(message, text, { status: 'completed', usage: usageOf(2) })
    await localChannels.put(message)
  }
  return message
}

describe('an answer that is asked for again', () => {
  it('is another run, and those of before stay', async () => {
    const message = await withVersions()
    expect(await answersIn()).toEqual([['First', 'Second', 'Third']])
    expect((await localChannels.messages(channelId)).messages.map(bareMessage)).toEqual([message])
    expect((await exchangesIn())[0]?.runs.map(({ usage }) => usage)).toEqual([usageOf(1), usageOf(2), usageOf(2)])
  })

  it('shows the message that was put, whatever is asked, written, continued, stopped and failed before', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('again' as const), isContinued: fc.boolean() }),
      fc.record({ kind: fc.constant('write' as const), text: fc.string({ maxLength: 4 }) }),
      fc.record({
        kind: fc.constant('end' as const),
        status: fc.constantFrom('completed' as const, 'stopped' as const, 'interrupted' as const, 'failed' as const),
        text: fc.string({ maxLength: 4 }),
        cost: fc.option(fc.nat(1_000), { nil: undefined }),
      }),
    )
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> => {
      let message = asked()
      await localChannels.put(message)
      const ended: string[] = []
      for (const each of steps) {
        const isOver = !['queued', 'sent', 'streaming'].includes(message.status)
        if (each.kind === 'again') {
          // Where the connection was lost, what has arrived counts as interrupted.
          message = askedAgain(isOver ? message : { ...message, status: 'interrupted' }, each.isContinued)
        } else if (isOver) continue
        else if (each.kind === 'write') message = written(message, each.text, { status: 'streaming' })
        else {
          const used = each.cost === undefined ? {} : { usage: usageOf(each.cost) }
          message = written(message, each.text, { status: each.status, ...used })
          delete runOf(message).previous
          ended.push(each.text)
        }
        await localChannels.put(message)
        const { run: shownRun, ...shown } = (await readMessage(message.mId)) ?? {}
        const { run: putRun, ...put } = message
        // What earlier runs have used is told of a continued answer, whoever asked for its message.
        expect({ ...shown, usage: undefined }).toEqual({ ...put, usage: undefined })
        expect(withoutUsage(shownRun)).toEqual(withoutUsage(putRun))
      }
      const answers = (await exchangesIn()).flatMap(({ runs }) => runs.map((each) => textOf(each.answer)))
      for (const text of ended) expect(answers).toContain(text)
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), run), { numRuns: 40 })
  })

  it('and never arrives shows the answer of before, with its cost, and counts it once', async () => {
    const first = written(asked(), 'First', { status: 'completed', usage: usageOf(5), model: 'a/model' })
    await localChannels.put(first)
    const again = askedAgain(first, false)
    await localChannels.put(again)
    const { previous, ...run } = runOf(again)
    const restored: Message = { ...again, ...previous, run: { ...run, seq: 3, base: 'First'.length } }
    await localChannels.put(restored)
    const shown = await readMessage(first.mId)
    expect(shown).toEqual({ ...restored, run: { ...restored.run, used: usageOf(5) } })
    expect((await exchangesIn())[0]?.runs.map(({ usage }) => usage)).toEqual([usageOf(5), undefined])
  })

  it('by a clock that was set back is shown all the same', async () => {
    const first = written(asked(), 'First', { status: 'completed' })
    await localChannels.put(first)
    const again = askedAgain(first, false)
    const late = { ...again, run: { ...runOf(again), messageId: uuidv7(Date.parse('2020-01-01T00:00:00.000Z')) } }
    await localChannels.put(late)
    expect(await readMessage(first.mId)).toEqual(late)
  })
})

it('a second of an answer writes the record of its run alone, and decrypts nothing', async () => {
  for (let n = 0; n < 3; n++) await localChannels.put(aMessage(channelId))
  const message = await withVersions()
  const again = askedAgain(message, false)
  await localChannels.put(again)
  await localChannels.put(written(again, 'The', { status: 'streaming' }))
  const put = vi.spyOn(IDBObjectStore.prototype, 'put')
  const decrypt = vi.spyOn(crypto.subtle, 'decrypt')
  await localChannels.put(written(again, 'The fourth', { status: 'streaming' }))
  // The channel's last activity is written with it, as ever.
  expect(put.mock.contexts.map((store) => (store as IDBObjectStore).name)).toEqual(['runs', 'channels'])
  expect(put.mock.calls[0]?.[0]).toMatchObject({ id: runOf(again).messageId, exchangeId: message.mId })
  expect(decrypt).not.toHaveBeenCalled()
})

describe('what follows', () => {
  it('each new question follows the answer that is shown', async () => {
    const first = await withVersions()
    const second = asked()
    await localChannels.put(second)
    await localChannels.put(written(second, 'Answer', { status: 'completed' }))
    await localChannels.put(asked())
    const followed = (await exchangesIn()).map(({ exchange }) => exchange.afterRunId)
    expect(followed).toEqual([null, runOf(first).messageId, second.mId])
  })

  it('a removed exchange follows what that one followed', async () => {
    const messages: Message[] = []
    for (let n = 0; n < 5; n++) {
      messages.push(written(asked(), `Answer ${n}`, { status: 'completed' }))
      await localChannels.put(messages[n] as Message)
    }
    const [first, second, third, , fifth] = messages.map(({ mId }) => mId)
    await localChannels.removeMessage(channelId, second ?? '')
    await localChannels.removeMessage(channelId, third ?? '')
    await localChannels.removeMessage(channelId, fifth ?? '')
    await localChannels.put(asked())
    const followed = (await exchangesIn()).map(({ exchange }) => exchange.afterRunId)
    expect(followed).toEqual([null, first, messages[3]?.mId])
    await localChannels.removeMessage(channelId, first ?? '')
    expect((await exchangesIn()).map(({ exchange }) => exchange.afterRunId)).toEqual([null, messages[3]?.mId])
  })
})

describe('earlier answers', () => {
  const runsLeft = async (): Promise<number> => (await openDevice()).db.count('runs')

  /** As versions before this one left them, which took what is shown to the cloud: of exchanges that are not here. */
  async function leftBehind(): Promise<Channel> {
    const message = await withVersions()
    const channel = (await localChannels.get(channelId)) as Channel
    const { db } = await openDevice()
    for (const name of ['channels', 'chats', 'exchanges'] as const) await db.clear(name)
    await db.delete('runs', [chatIdOf(channelId, (await openDevice()).userId), message.mId, runOf(message).messageId])
    expect(await runsLeft()).toBe(2)
    return channel
  }

  it('that an earlier version left on the device are there again when the chat comes back', async () => {
    const channel = await leftBehind()
    const [{ exchangeId = '' } = {}] = await (await openDevice()).db.getAll('runs')
    // There another answer was asked for, whose run this device does not know.
    const there = aMessage(channelId, { mId: exchangeId, chat_response: answer('Of the cloud') })
    await localChannels.importChannel(channel, [there])
    expect(await answersIn()).toEqual([['First', 'Second', 'Of the cloud']])
    expect((await localChannels.messages(channelId)).messages[0]).toMatchObject({
      chat_response: answer('Of the cloud'),
    })
  })

  it('go with the chat to the cloud and back', async () => {
    await withVersions()
    const channel = (await localChannels.get(channelId)) as Channel
    const cloud = aTreeCloud(channel)
    await moveToCloud(channel)
    expect(await runsLeft()).toBe(0)
    await moveToDevice(cloud.channel as Channel)
    expect(await answersIn()).toEqual([['First', 'Second', 'Third']])
  })

  it('go with the chat and with the message, wherever these were deleted', async () => {
    await withVersions()
    await localChannels.removeMessage(channelId, (await exchangesIn())[0]?.exchange.id ?? '')
    expect(await runsLeft()).toBe(0)
    await withVersions()
    await localChannels.clear(channelId)
    expect(await runsLeft()).toBe(0)
    await leftBehind()
    vi.spyOn(cloudChannels, 'list').mockResolvedValue([])
    vi.spyOn(cloudChannels, 'has').mockResolvedValue(true)
    const remove = vi.spyOn(cloudChannels, 'remove').mockResolvedValue()
    await deleteChannel(channelId)
    expect(remove).toHaveBeenCalledWith(channelId)
    expect(await runsLeft()).toBe(0)
  })

  it('of chats in the cloud go when all of these are deleted, and those of the others stay', async () => {
    const inCloud = await leftBehind()
    const left = await (await openDevice()).db.getAll('runs')
    const here = (await localChannels.create({ assistantId: null, channelName: 'Here' })).id
    channelId = here
    await withVersions()
    const gone = { ...(left[0] as RunRecord), channelId: 'gone', chatId: chatIdOf('gone', (await openDevice()).userId) }
    await (await openDevice()).db.put('runs', gone)
    vi.spyOn(cloudChannels, 'list').mockResolvedValue([{ id: inCloud.id }] as never)
    vi.spyOn(cloudChannels, 'removeAll').mockResolvedValue({ deleted: 1, skipped: 1, failed: 0 })
    await deleteAllChannels('cloud')
    expect(await runsLeft()).toBe(2 + 3)
  })

  it('are restored with the chat that an import replaced', async () => {
    await withVersions()
    const whole = await localChannels.readWhole(channelId)
    if (!whole) throw new Error('no channel')
    await storeForUndo(whole, new Date().toISOString())
    await localChannels.importChannel(whole.channel, [aMessage(channelId)], { isReplacing: true })
    expect(await answersIn()).toEqual([['This.']])
    expect(await undoImport()).toBe(1)
    expect((await answersIn())[0]).toEqual(['First', 'Second', 'Third'])
  })
})
