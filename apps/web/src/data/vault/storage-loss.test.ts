import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { product } from '@parley/contract/product'
import { renderHook } from '@testing-library/react'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import { endSession, signOut } from '../auth/sign-out'
import { localChannels } from '../channels/local-channels'
import { AccountVault } from '../local/account-vault'
import { openDatabase, vaultName } from '../local/database'
import { eraseKeys } from '../local/key-database'
import { forgetSession, storedSession } from '../session/stored-session'
import { forgetDevice, openDevice } from './open-device'
import { dismissStorageLoss, recordChats, useStorageLoss } from './storage-loss'

const userId = aUser().id
const vaults = [product.slug, vaultName(userId)]

const lossOf = (id?: string) => renderHook(() => useStorageLoss(id)).result.current
const addChat = () => localChannels.create({ assistantId: null })

/** As a page that begins anew after the browser has removed these databases. */
async function evict(...names: string[]): Promise<void> {
  if (await openDevice().catch(() => undefined)) (await openDevice()).db.close()
  forgetDevice()
  for (const name of names) for (const database of [name, `${name}-keys`]) await deleteDB(database)
}

beforeEach(() => {
  vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 204 })))
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  const loss = lossOf()
  if (loss) dismissStorageLoss(loss)
  forgetSession()
  await evict(...vaults)
  localStorage.clear()
})

describe('chats that the browser removed', () => {
  it('are told to be gone, since they were last seen here', async () => {
    await addChat()
    await localChannels.list()
    const before = new Date().toISOString()
    await evict(product.slug)
    expect(await localChannels.list()).toEqual([])
    expect(lossOf()).toMatchObject({ names: [product.slug], isOfAccount: false })
    expect((lossOf()?.since ?? '') <= before).toBe(true)
  })

  it('are told once: not again after it was read, though new chats were written before or since, until these are lost too', async () => {
    await addChat()
    await localChannels.list()
    await evict(product.slug)
    await localChannels.list()
    await addChat()
    await localChannels.list()
    const loss = lossOf()
    expect(loss).toBeDefined()
    if (loss) dismissStorageLoss(loss)
    forgetDevice()
    await localChannels.list()
    expect(lossOf()).toBeUndefined()
    await evict(product.slug)
    await localChannels.list()
    expect(lossOf()).toBeDefined()
  })

  it('are told to an account whose session ends with them, and to nobody else who signs in', async () => {
    await seedSession()
    await addChat()
    await localChannels.list()
    await evict(...vaults)
    await localChannels.list()
    expect(storedSession()).toBeUndefined()
    expect(lossOf()).toMatchObject({ names: [vaultName(userId)], isOfAccount: true })
    expect(lossOf(userId)).toBeDefined()
    expect(lossOf('0193f000-0000-7000-8000-000000000002')).toBeUndefined()
  })

  it('are told after the sign-in where the session ended before they were lost', async () => {
    await seedSession()
    await addChat()
    await localChannels.list()
    await endSession('auth.session-expired')
    await evict(...vaults)
    await seedSession()
    await localChannels.list()
    expect(lossOf(userId)).toBeDefined()
  })
})

describe('nothing is told to be lost', () => {
  it('in a fresh browser, and in one where no chat ever was', async () => {
    await localChannels.list()
    await evict(product.slug)
    await localChannels.list()
    expect(lossOf()).toBeUndefined()
  })

  it('after the person removed the chats, whatever becomes of the empty storage', async () => {
    await addChat()
    await localChannels.list()
    await localChannels.removeAll()
    await localChannels.list()
    await evict(product.slug)
    await localChannels.list()
    expect(lossOf()).toBeUndefined()
  })

  it.each([
    ['of this tab', async () => signOut({ removeChats: true })],
    [
      'that another tab sees while local storage still stands',
      async () => {
        vi.spyOn(Storage.prototype, 'clear').mockImplementation(() => undefined)
        await signOut({ removeChats: true })
        await localChannels.list()
      },
    ],
  ])('after a log-out that removes them: %s', async (_what, leave) => {
    await seedSession()
    await addChat()
    await localChannels.list()
    await leave()
    await seedSession()
    await localChannels.list()
    expect(lossOf()).toBeUndefined()
  })

  it('where the keys alone are gone: the next sign-in opens the chats again', async () => {
    await seedSession()
    const { id } = await addChat()
    await localChannels.list()
    ;(await openDevice()).db.close()
    await eraseKeys(vaultName(userId))
    forgetDevice()
    await localChannels.list()
    expect(storedSession()).toBeUndefined()
    await seedSession()
    expect((await localChannels.list()).map((channel) => channel.id)).toEqual([id])
    expect(lossOf()).toBeUndefined()
    await AccountVault.remove(userId)
  })
})

it('the mark is written at most once an hour', async () => {
  const db = await openDatabase()
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))
  const mark = () => JSON.parse(localStorage.getItem('chats-here') ?? '{}')[product.slug]
  await recordChats(db, 1, at(0))
  await recordChats(db, 1, at(59))
  expect(mark()).toBe(at(0).toISOString())
  await recordChats(db, 1, at(60))
  expect(mark()).toBe(at(60).toISOString())
  db.close()
})
