import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { expect, it } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { aMessage } from './channel-store-suite'
import { localChannels } from './local-channels'

it('an answer that one person began is not saved into the vault of the next one, even where that has a channel of the same id', async () => {
  const first = await seedSession()
  const channel = await localChannels.create({ assistantId: null })
  const answer = aMessage(channel.id, { chat_request: 'of the first person' })
  await localChannels.put(answer, { userId: first.id })
  forgetSession()
  await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000002' }))
  await localChannels.importChannel(channel, [])
  await expect(localChannels.put(answer, { userId: first.id })).rejects.toMatchObject({ code: 'channel.not-found' })
  await expect(localChannels.removeMessage(channel.id, answer.mId, { userId: first.id })).rejects.toMatchObject({
    code: 'channel.not-found',
  })
  expect(await (await openDevice()).db.count('exchanges')).toBe(0)
  forgetSession()
})
