import type { AppError } from '@parley/contract/errors'
import { afterEach, expect, it, vi } from 'vitest'
import { aMessage } from '../channels/channel-store-suite'
import { LocalChannelStore } from '../channels/local-channel-store'
import type { Device } from '../local/device'
import { AccountVault } from './account-vault'
import { randomBytes, toBase64Url } from './bytes'
import { vaultName } from './database'
import { readKeys, storeKeys } from './key-database'
import { newRecoveryCode } from './passphrase'
import { readGeneration, readVaultRecord } from './vault-record'

vi.mock('./passphrase', async (real) => (await import('../../testing/cheap-passphrase')).withCheapHash(real))

const opened: AccountVault[] = []
afterEach(() => {
  for (const vault of opened.splice(0)) vault.db.close()
})

const aUserId = (): string => crypto.randomUUID()
const anAccountKey = (): string => toBase64Url(randomBytes(32))
const passphrase = 'a phrase that only Ana knows'

async function open(userId: string): Promise<AccountVault> {
  const vault = await AccountVault.open(userId)
  if (!vault) throw new Error('there is no vault')
  opened.push(vault)
  return vault
}

/** As the app does it: a device that is out of date is opened again from the disk. */
function storeOf(account: AccountVault, userId: string): LocalChannelStore {
  const deviceOf = async (vault: AccountVault): Promise<Device> => ({
    db: vault.db,
    vault: vault.vault,
    userId,
    generation: await readGeneration(vault.db),
    forget: () => {
      device = undefined
    },
  })
  let device: Promise<Device> | undefined = deviceOf(account)
  return new LocalChannelStore({
    open: () => (device ??= open(userId).then(deviceOf)),
  })
}

/** A vault with some chats in it. */
async function filled(userId: string, accountKey: string, count = 3) {
  await AccountVault.signIn(userId, accountKey)
  const vault = await open(userId)
  const store = storeOf(vault, userId)
  const channel = await store.create({ assistantId: null, channelName: 'Secrets' })
  for (let n = 0; n < count; n++) await store.put(aMessage(channel.id, { chat_request: `Question ${n}` }))
  return { vault, store, channel, questions: Array.from({ length: count }, (_, n) => `Question ${n}`) }
}

const questionsIn = async (store: LocalChannelStore, channelId: string): Promise<string[]> =>
  (await store.messages(channelId, { limit: 1_000 })).messages.map(({ chat_request }) => chat_request)

const keysOf = (userId: string) => readKeys(vaultName(userId))

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: AppError) => error.code,
  )

it('opens again with the next sign-in of the same account, after the keys were erased at logout', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  vault.db.close()
  await AccountVault.seal(userId)
  expect(await keysOf(userId)).toEqual([])
  expect(await AccountVault.open(userId)).toBeUndefined()
  await AccountVault.signIn(userId, accountKey)
  expect(await questionsIn(storeOf(await open(userId), userId), channel.id)).toEqual(questions)
})

it('does not open with the key of another account; its records are kept, and new chats work', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  vault.db.close()
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, anAccountKey())
  const stranger = await open(userId)
  const store = storeOf(stranger, userId)
  const messages = await store.messages(channel.id)
  expect(messages.messages.map(({ error }) => error?.code)).toEqual(questions.map(() => 'storage.unreadable'))
  const fresh = await store.create({ assistantId: null, channelName: 'Afterwards' })
  await store.put(aMessage(fresh.id, { chat_request: 'Works' }))
  expect(await questionsIn(store, fresh.id)).toEqual(['Works'])
})

it('has nothing in common with the vault of another account or of nobody', async () => {
  const [ana, eve] = [aUserId(), aUserId()]
  const { store } = await filled(ana, anAccountKey())
  await AccountVault.signIn(eve, anAccountKey())
  expect(await storeOf(await open(eve), eve).list()).toEqual([])
  expect(await store.list()).toHaveLength(1)
})

it('locked by a passphrase, keeps no key on the device, and opens with the passphrase or the recovery code only', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey, 450)
  const code = newRecoveryCode()
  await vault.lock(passphrase, code)
  expect(await questionsIn(storeOf(vault, userId), channel.id)).toEqual(questions)
  vault.db.close()
  expect(await keysOf(userId)).toEqual([])

  // A sign-in alone does not open it.
  await AccountVault.signIn(userId, accountKey)
  const again = await open(userId)
  expect(again.isLocked).toBe(true)
  expect(() => again.vault).toThrow()
  expect(await failure(again.unlock('a guess'))).toBe('vault.wrong-passphrase')
  expect(again.isLocked).toBe(true)
  await again.unlock(passphrase)
  expect(await questionsIn(storeOf(again, userId), channel.id)).toEqual(questions)

  const byCode = await open(userId)
  expect(await failure(byCode.unlockByCode(newRecoveryCode()))).toBe('vault.wrong-passphrase')
  await byCode.unlockByCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)
  expect(await questionsIn(storeOf(byCode, userId), channel.id)).toEqual(questions)
})

it('takes another passphrase, and then opens with that one alone', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  await vault.lock(passphrase, undefined)
  expect(await failure(vault.changePassphrase('not it', 'the next one', undefined))).toBe('vault.wrong-passphrase')
  await vault.changePassphrase(passphrase, 'the next one', undefined)
  const again = await open(userId)
  expect(await failure(again.unlock(passphrase))).toBe('vault.wrong-passphrase')
  await again.unlock('the next one')
  expect(await questionsIn(storeOf(again, userId), channel.id)).toEqual(questions)
})

it('unlocked for good, is sealed at logout as before', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  await vault.lock(passphrase, undefined)
  await vault.unseal()
  vault.db.close()
  const plain = await open(userId)
  expect(plain.isLocked).toBe(false)
  expect(await questionsIn(storeOf(plain, userId), channel.id)).toEqual(questions)
  plain.db.close()
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, accountKey)
  expect(await questionsIn(storeOf(await open(userId), userId), channel.id)).toEqual(questions)
})

it('a page that has an older key cannot write with it once another tab has locked the vault', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, store, channel } = await filled(userId, accountKey)
  const other = await open(userId)
  await other.lock(passphrase, undefined)
  expect(vault.isLocked).toBe(false)
  expect(await failure(store.put(aMessage(channel.id, { chat_request: 'Too late' })))).toBe('vault.locked')
  await other.unlock(passphrase)
  expect(await questionsIn(storeOf(other, userId), channel.id)).toEqual(['Question 0', 'Question 1', 'Question 2'])
})

it('goes on with a change of level that was cut off, wherever it was cut off', async () => {
  for (const step of ['begun', 'half encrypted', 'keys left behind'] as const) {
    const [userId, accountKey] = [aUserId(), anAccountKey()]
    const { vault, channel, questions } = await filled(userId, accountKey, 10)
    const [oldKey] = await keysOf(userId)
    const before = (await readVaultRecord(vault.db))?.record
    const old = await vault.db.getAll('exchanges')
    await vault.lock(passphrase, undefined)
    const after = (await readVaultRecord(vault.db))?.record
    const [newEntry] = after?.keys ?? []
    if (!before || !after || !oldKey || !newEntry) throw new Error('nothing to cut off')
    // As a crash would have left it.
    if (step !== 'keys left behind') {
      const cut = step === 'begun' ? old : old.slice(0, 4)
      for (const record of cut) await vault.db.put('exchanges', record)
      const half = {
        ...after,
        level: before.level,
        keys: [...before.keys, newEntry],
        movingTo: { kid: newEntry.kid, level: 'locked' },
      }
      await vault.db.put('meta', { id: 'vault', value: JSON.stringify(half) })
    }
    await storeKeys(vaultName(userId), [oldKey])
    vault.db.close()

    const again = await open(userId)
    expect(again.isLocked, step).toBe(true)
    await again.unlock(passphrase)
    await again.finish()
    expect(await questionsIn(storeOf(again, userId), channel.id), step).toEqual(questions)
    expect(new Set((await again.db.getAll('exchanges')).map(({ kid }) => kid)), step).toEqual(new Set([newEntry.kid]))
    expect(await keysOf(userId), step).toEqual([])
  }
})

it('keeps the way to the key of a record that only a newer program can encrypt anew', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel } = await filled(userId, accountKey)
  const [oldKey] = await keysOf(userId)
  const [first] = await vault.db.getAll('exchanges')
  if (!first || !oldKey) throw new Error('nothing to keep')
  const newer = { ...first, v: 3 }
  await vault.db.put('exchanges', newer)
  await vault.lock(passphrase, undefined)
  expect((await vault.db.getAll('exchanges'))[0]).toEqual(newer)
  expect(await keysOf(userId)).toEqual([])
  const kept = (await readVaultRecord(vault.db))?.record.keys.find(({ kid }) => kid === oldKey.kid)
  expect(kept?.toAccount).toBeDefined()
  vault.db.close()

  const again = await open(userId)
  await again.unlock(passphrase)
  expect((await questionsIn(storeOf(again, userId), channel.id)).slice(1)).toEqual(['Question 1', 'Question 2'])
})

it('is removed from the device without a trace', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault } = await filled(userId, accountKey)
  vault.db.close()
  await AccountVault.remove(userId)
  expect((await indexedDB.databases()).filter(({ name }) => name?.startsWith(vaultName(userId)))).toEqual([])
})

it('loses no key when two tabs change the vault at once, whichever is closed first', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  const other = await open(userId)
  // The other tab knows the vault of before; this one is closed in the middle of its change.
  vault.finish = () => Promise.reject(new Error('closed'))
  await expect(vault.lock(passphrase, undefined)).rejects.toThrow('closed')
  await other.setIdleMinutes(30)
  const after = await open(userId)
  await after.unlock(passphrase)
  await after.finish()
  expect(after.settings).toMatchObject({ level: 'locked', idleMinutes: 30 })
  expect(await questionsIn(storeOf(after, userId), channel.id)).toEqual(questions)
})

it('refuses a change of level that follows from what another tab has changed since, and writes nothing of it', async () => {
  const [userId, accountKey] = [aUserId(), anAccountKey()]
  const { vault, channel, questions } = await filled(userId, accountKey)
  const other = await open(userId)
  await vault.lock(passphrase, undefined)
  await expect(other.lock('the phrase of the other tab', undefined)).rejects.toMatchObject({ code: 'vault.changed' })
  const after = await open(userId)
  await after.unlock(passphrase)
  expect(await questionsIn(storeOf(after, userId), channel.id)).toEqual(questions)
})

it('opens what is sealed again when a server that had lost the account’s key finds it', async () => {
  const [userId, accountKey, foreign] = [aUserId(), anAccountKey(), anAccountKey()]
  const { channel, questions } = await filled(userId, accountKey)
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, foreign)
  const between = storeOf(await open(userId), userId)
  expect((await between.messages(channel.id)).messages[0]?.error?.code).toBe('storage.unreadable')
  const made = await between.create({ assistantId: null, channelName: 'Meanwhile' })
  await between.put(aMessage(made.id, { chat_request: 'of the time between' }))
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, accountKey)
  const restored = await open(userId)
  expect(restored.isLocked).toBe(false)
  expect(await questionsIn(storeOf(restored, userId), channel.id)).toEqual(questions)
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, foreign)
  expect(await questionsIn(storeOf(await open(userId), userId), made.id)).toEqual(['of the time between'])
})

it('keeps what the device can still read when the account’s key is another one at the next sign-in', async () => {
  const [userId, accountKey, foreign] = [aUserId(), anAccountKey(), anAccountKey()]
  const { channel, questions } = await filled(userId, accountKey)
  await AccountVault.signIn(userId, foreign)
  await (await open(userId)).finish()
  await AccountVault.seal(userId)
  await AccountVault.signIn(userId, foreign)
  expect(await questionsIn(storeOf(await open(userId), userId), channel.id)).toEqual(questions)
})

it('is left at a log-out also while another tab holds on to it, and goes when that tab lets go', async () => {
  const userId = aUserId()
  await AccountVault.signIn(userId, anAccountKey())
  const name = vaultName(userId)
  const other = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  await AccountVault.remove(userId)
  expect((await indexedDB.databases()).map((each) => each.name)).toContain(name)
  other.close()
  await expect.poll(async () => (await indexedDB.databases()).map((each) => each.name)).not.toContain(name)
})
