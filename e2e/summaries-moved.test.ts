// Summaries of a chat, in a device's storage and in the real cloud: an edited text goes wherever its chat goes.
import type { Summary } from '@parley/contract/conversations'
import { uuidv7 } from '@parley/contract/uuid'
import { expect, it } from 'vitest'
import { anAnswer } from '../apps/web/src/data/channels/version-suite'
import { aChannel, cut, theWeb, useBothHomes, wipe } from './both-homes'

useBothHomes()

/** A chat of this device with two questions, the first of which is summarised; in words of the person's own. */
async function aSummarised() {
  const { localChannels } = await theWeb()
  await wipe()
  const channel = await aChannel()
  const one = anAnswer(channel.id, 'one')
  await localChannels.put(one)
  await localChannels.put(anAnswer(channel.id, 'two'))
  const summary: Summary = {
    ...{ id: uuidv7(), channelId: channel.id, exchangeId: one.mId, upToRunId: one.run?.messageId ?? one.mId },
    ...{ text: 'In my \u0000 words', messages: 2, editedByPerson: true, cost: '1200' },
  }
  await localChannels.putSummary(summary)
  return { channel, summary }
}

it('are there in the cloud, and here again, after their chat was moved there and back', async () => {
  const { cloudChannels, localChannels, moveToCloud, moveToDevice } = await theWeb()
  const { channel, summary } = await aSummarised()
  const inCloud = await moveToCloud(channel)
  expect(await cloudChannels.summaries(inCloud.id)).toEqual([summary])
  await cloudChannels.putSummary({ ...summary, text: 'Undone there', isUndone: true })
  await moveToDevice(inCloud)
  expect(await localChannels.summaries(channel.id)).toEqual([{ ...summary, text: 'Undone there', isUndone: true }])
})

it('are in one of the homes at least, wherever a move is cut off, and once in the end', async () => {
  const { cloudChannels, localChannels, moveToCloud } = await theWeb()
  let cuts = 0
  for (let calls = 1; ; calls++) {
    const { channel, summary } = await aSummarised()
    Object.assign(cut, { calls, isAfter: calls % 2 === 0 })
    const moved = await moveToCloud(channel).catch(() => undefined)
    cut.calls = Number.POSITIVE_INFINITY
    if (moved) {
      expect(await cloudChannels.summaries(moved.id)).toEqual([summary])
      break
    }
    cuts++
    expect(await localChannels.summaries(channel.id)).toEqual([summary])
    const again = await moveToCloud(channel)
    expect(await cloudChannels.summaries(again.id)).toEqual([summary])
    expect(await localChannels.summaries(channel.id)).toEqual([])
  }
  expect(cuts).toBeGreaterThan(3)
})
