import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import { product } from '@parley/contract/product'
import { argon2id } from 'hash-wasm'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '../../testing/depth'
import {
  type Answers,
  anAccountVault,
  anAnonymousVault,
  anonymousVault,
  answersOf,
  expectedOf,
  newName,
  openAnonymous,
} from '../../testing/vaults/old-vaults'
import { thePassphrase, theUserId } from '../../testing/vaults/vault-secrets'
import { AccountVault } from '../local/account-vault'
import { convertMessages } from '../local/convert-messages'
import { conversionId, openDatabase } from '../local/database'
import type { Device } from '../local/device'
import { isOldForm } from '../local/readable'
import { orStorageError } from '../local/storage-error'
import { readGeneration } from '../local/vault-record'
import { openDevice } from '../vault/open-device'
import { bareMessage } from './bare-message'
import { LocalChannelStore } from './local-channel-store'
import { describeOldVaults, oldFormsIn } from './old-vaults-suite'

/** The hash that a page leaves to a worker. */
class HashWorker {
  onmessage: ((event: { data: Uint8Array }) => void) | null = null
  postMessage(order: { password: string; salt: Uint8Array; memoryKiB: number; passes: number }): void {
    const { memoryKiB: memorySize, passes: iterations, ...rest } = order
    const settings = { ...rest, memorySize, iterations, parallelism: 1, hashLength: 32, outputType: 'binary' as const }
    void argon2id(settings).then((data) => this.onmessage?.({ data }))
  }
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', HashWorker)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describeOldVaults('fake-indexeddb')

const storeOf = (device: Device): LocalChannelStore => new LocalChannelStore({ open: async () => device })

/** Nothing is written any more after so many records, as when the browser is killed. */
function killedAfter(writes: number): () => void {
  const { put } = IDBObjectStore.prototype
  let left = writes
  IDBObjectStore.prototype.put = function killed(this: IDBObjectStore, ...args: Parameters<typeof put>) {
    if (left-- <= 0) throw new DOMException('killed', 'AbortError')
    return put.apply(this, args)
  }
  return () => {
    IDBObjectStore.prototype.put = put
  }
}

describe('the conversion', () => {
  it('that is killed anywhere ends as one that was not, and shows the same in between', async () => {
    const longChat = 80
    const whole = await anAnonymousVault({ longChat })
    const finished = await whole.open()
    await convertMessages(async () => finished)
    const plain = async ({ db }: Device) =>
      [await db.getAll('exchanges'), await db.getAll('runs'), await db.getAll('chats')].map((records) =>
        records.map((record) => ({ ...record, n: undefined, c: undefined })),
      )
    const expected = await plain(finished)
    const answers = await answersOf(finished)
    const idsIn = ({ messages }: Answers) => Object.values(messages).flatMap((each) => each.map(({ mId }) => mId))
    const ids = idsIn(answers)
    const writes = (await finished.db.count('runs')) * 2
    finished.db.close()
    for (let kill = 0; kill < 50; kill += isDeep ? 1 : 5) {
      const { name, open } = await anAnonymousVault({ longChat })
      const before = await open()
      const revive = killedAfter(Math.floor((writes * kill) / 50))
      await expect(convertMessages(async () => before)).rejects.toThrow()
      revive()
      before.db.close()
      const after = await openAnonymous(name)
      // Every tenth one is looked at in the middle too.
      const isLookedAt = kill % 10 === 5
      if (isLookedAt) {
        expect(await oldFormsIn(after)).toBeGreaterThan(3)
        expect(idsIn(await answersOf(after))).toEqual(ids)
      }
      await convertMessages(async () => after)
      expect(await plain(after), `kill ${kill}`).toEqual(expected)
      if (isLookedAt) expect(await answersOf(after)).toEqual(answers)
      after.db.close()
    }
  })

  it('runs in two tabs at once, while one of them is written in', async () => {
    const { name, open } = await anAnonymousVault()
    const [one, two] = [await open(), await openAnonymous(name)]
    const store = storeOf(two)
    const asked = (await store.messages('long', { limit: 2 })).messages.at(-1)
    if (!asked) throw new Error('no message')
    const answer = { role: 'assistant' as const, content: 'Written meanwhile' }
    await Promise.all([
      convertMessages(async () => one),
      convertMessages(async () => two),
      store.put({ ...asked, chat_response: answer }),
      store.removeMessage('with-gaps', anonymousVault.messages['with-gaps']?.[1]?.mId as string),
    ])
    const { messages } = await answersOf(one)
    const expected = expectedOf(anonymousVault, { isConverted: true }).messages
    expect(messages['every-kind']).toEqual(expected['every-kind'])
    expect(messages['with-gaps']).toEqual(expected['with-gaps']?.toSpliced(1, 1))
    expect(messages.long).toEqual(
      expected.long?.toSpliced(-1, 1, { ...bareMessage(asked), chat_response: answer } as never),
    )
    expect(await oldFormsIn(one)).toBe(3)
    for (const { db } of [one, two]) db.close()
  })

  it('goes on while the vault is locked with a passphrase, and leaves no record of the keys of before', async () => {
    const { file, open } = await anAccountVault()
    ;(await open()).db.close()
    const account = await AccountVault.open(theUserId)
    if (!account) throw new Error('there is no vault')
    let opened = 0
    const openDevice = async (): Promise<Device> => {
      opened++
      const generation = await readGeneration(account.db)
      return { db: account.db, vault: account.vault, userId: theUserId, generation, forget: () => undefined }
    }
    await Promise.all([convertMessages(openDevice), account.lock(thePassphrase, undefined)])
    await convertMessages(openDevice)
    expect(opened).toBeGreaterThan(1)
    const device = await openDevice()
    expect(await answersOf(device)).toEqual(expectedOf(file, { isConverted: true }))
    expect(await oldFormsIn(device)).toBe(3)
    const records = [...(await device.db.getAll('exchanges')).filter((each) => !isOldForm(each))]
    const kids = new Set([...records, ...(await device.db.getAll('runs'))].map(({ kid }) => kid))
    expect([...kids]).toEqual([device.vault.heldKeys.at(-1)?.kid])
    device.db.close()
  })

  it('of a message happens at once where it is written, and in no other one', async () => {
    const { open } = await anAnonymousVault()
    const device = await open()
    const store = storeOf(device)
    const message = (await store.messages('every-kind')).messages.find(({ run }) => run?.previous) as Message
    const { previous: _previous, ...run } = message.run as NonNullable<Message['run']>
    const said = { ...message, run: { ...run, seq: 2 }, status: 'streaming' as const }
    const partial: Message = { ...said, chat_response: { role: 'assistant', content: 'So far' } }
    await store.put(partial)
    expect(bareMessage((await store.message('every-kind', message.mId)) ?? message)).toEqual(bareMessage(partial))
    expect(await device.db.count('runs')).toBe(2)
    const stored = await device.db.getFromIndex('exchanges', 'byId', ['every-kind_anonymous', message.mId])
    const before = (await store.messages('every-kind', { limit: 100 })).messages[stored ? stored.position - 2 : 0]
    expect(stored).toMatchObject({ form: 'exchange', afterRunId: before?.run?.messageId })
    device.db.close()
  })

  it('begins by itself when the page has opened the vault', async () => {
    localStorage.clear()
    const { name } = await anAnonymousVault({ name: product.slug })
    const { db } = await openDevice()
    await expect.poll(() => db.get('meta', conversionId)).toEqual({ id: conversionId, value: 'over' })
    expect(await oldFormsIn(await openAnonymous(name))).toBe(3)
  })

  it('has nothing to do in a vault that is new', async () => {
    const db = await openDatabase(newName())
    expect(await db.get('meta', conversionId)).toEqual({ id: conversionId, value: 'over' })
    db.close()
  })
})

it('a vault of this version tells the version before that it is of a later one, and is not touched', async () => {
  const { name, open } = await anAnonymousVault()
  const { db } = await open()
  const { version } = db
  db.close()
  await expect(orStorageError(() => openDB(name, version - 1))).rejects.toMatchObject({ code: 'storage.newer-version' })
  const later = await openDB(name, version + 1)
  later.close()
  await expect(openDatabase(name)).rejects.toMatchObject({ code: 'storage.newer-version' })
})
