import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aTreeCloud, lineOf } from '../../testing/tree-cloud'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'

const at = '2026-01-01T00:00:00.000Z'
const onDevice: Channel = {
  ...{ id: 'c1', userId: null, channelName: 'Plans', assistantId: null, isDocument: false, isImage: false },
  ...{ isYoutube: false, isLocked: false, created_at: at, updated_at: at, isLocalChannel: true, source: 'indexeddb' },
}
const inCloud: Channel = { ...onDevice, isLocalChannel: false, source: 'postgresql' }
const questions = ['one', 'two', 'three']
const messages = questions.map((text) => aMessage('c1', { mId: `m-${text}`, chat_request: text, datetime: at }))

afterEach(async () => {
  vi.restoreAllMocks()
  await localChannels.removeAll()
})

const calls = ['get', 'treePage', 'summaries', 'create', 'configure', 'addTree', 'addSummaries', 'remove'] as const

/** The call of this number fails: before the cloud has done it, or only its answer is lost. */
function failAt(number: number, isDone: boolean): { hasFailed: () => boolean } {
  let count = 0
  for (const name of calls) {
    const call = vi.mocked(cloudChannels[name]) as unknown as ReturnType<
      typeof vi.fn<(...given: unknown[]) => Promise<unknown>>
    >
    const real = call.getMockImplementation()
    call.mockImplementation(async (...given) => {
      const isIt = count++ === number
      if (isIt && !isDone) throw new AppError('network')
      const told = await real?.(...given)
      if (isIt) throw new AppError('network')
      return told
    })
  }
  return { hasFailed: () => count > number }
}

const textsOf = (some: readonly { chat_request: string }[]): string[] => some.map(({ chat_request }) => chat_request)
const textsOnDevice = async (): Promise<string[]> =>
  textsOf((await localChannels.messages('c1', { limit: 100 })).messages)

describe.each([
  ['is lost before the cloud has done it', false],
  ['is done, and its answer is lost', true],
])('whichever call to the cloud %s', (_, isDone) => {
  it('a chat that moves to the cloud is whole in one home, and in the cloud alone after the next try', async () => {
    let number = 0
    for (; ; number++) {
      const cloud = aTreeCloud(onDevice)
      await localChannels.importChannel(onDevice, messages)
      const fault = failAt(number, isDone)
      await moveToCloud(onDevice).catch(() => undefined)
      const isWhole = [await textsOnDevice(), textsOf(cloud.messages())].some((each) => each.length === 3)
      expect(isWhole, `call ${number}`).toBe(true)
      if ((await localChannels.list()).length > 0) await moveToCloud(onDevice)
      expect(textsOf(cloud.messages()), `call ${number}`).toEqual(questions)
      expect(await localChannels.list(), `call ${number}`).toEqual([])
      vi.restoreAllMocks()
      if (!fault.hasFailed()) break
    }
    expect(number).toBeGreaterThan(2)
  })

  it('a chat that moves to the device is whole in one home, and on the device alone after the next try', async () => {
    let number = 0
    for (; ; number++) {
      const cloud = aTreeCloud(onDevice)
      Object.assign(cloud, { channel: inCloud, exchanges: lineOf(messages), head: null })
      const fault = failAt(number, isDone)
      await moveToDevice(inCloud).catch(() => undefined)
      const isWhole = [await textsOnDevice(), textsOf(cloud.messages())].some((each) => each.length === 3)
      expect(isWhole, `call ${number}`).toBe(true)
      if (cloud.channel) await moveToDevice(inCloud)
      expect(await textsOnDevice(), `call ${number}`).toEqual(questions)
      expect(cloud.channel, `call ${number}`).toBeUndefined()
      vi.restoreAllMocks()
      await localChannels.removeAll()
      if (!fault.hasFailed()) break
    }
    expect(number).toBeGreaterThan(2)
  })
})
