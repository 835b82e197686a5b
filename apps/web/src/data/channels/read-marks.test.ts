import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { afterEach, expect, it } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { readMarkId } from './chat-keys'
import { localChannels } from './local-channels'
import { readReadMark, writeReadMark } from './read-marks'

afterEach(async () => {
  forgetSession()
  await (await openDevice()).db.clear('meta')
})

it('is remembered for each person and channel, and the last one stands', async () => {
  await writeReadMark('one', { mId: 'a', isOver: false })
  await writeReadMark('one', { mId: 'b', isOver: true })
  await writeReadMark('two', { mId: 'c', isOver: true })
  expect(await readReadMark('one')).toMatchObject({ mId: 'b', isOver: true })
  expect(await readReadMark('two')).toMatchObject({ mId: 'c' })
  expect(await readReadMark('three')).toBeUndefined()
  await seedSession()
  expect(await readReadMark('one')).toBeUndefined()
})

it('one that is damaged, or of a later version, counts as none and is written anew', async () => {
  const { db } = await openDevice()
  for (const value of ['not JSON', '{"v":9}', '']) {
    await db.put('meta', { id: readMarkId('one'), value })
    expect(await readReadMark('one')).toBeUndefined()
  }
  await writeReadMark('one', { mId: 'a', isOver: true })
  expect(await readReadMark('one')).toMatchObject({ mId: 'a' })
})

it('goes with its chat', async () => {
  const { id } = await localChannels.create({ assistantId: null })
  await writeReadMark(id, { mId: 'a', isOver: true })
  await localChannels.remove(id)
  expect(await readReadMark(id)).toBeUndefined()
})

it('of many channels the ones read longest ago are forgotten', async () => {
  for (let n = 0; n < 502; n++) await writeReadMark(`c${n}`, { mId: 'a', isOver: true }, new Date(1_000 * (n + 1)))
  expect(await readReadMark('c0')).toBeUndefined()
  expect(await readReadMark('c1')).toBeUndefined()
  expect(await readReadMark('c2')).toBeDefined()
  expect(await readReadMark('c501')).toBeDefined()
})
