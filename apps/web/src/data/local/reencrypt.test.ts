import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { openDatabase, type SealedTable, sealedTables } from './database'
import { bindingOf, exchangeForm } from './readable'
import { reencrypt } from './reencrypt'
import { KeyVault } from './vault'

const aKey = async (kid: string) => ({
  kid,
  key: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  createdAt: new Date().toISOString(),
})

it('a change of keys reaches what a person wrote in every table that the database has', async () => {
  const db = await openDatabase('every-table')
  const [before, after] = [await aKey('before'), await aKey('after')]
  const old = new KeyVault([before])
  // Only these hold nothing that a person wrote; a table that is added to the database has to be told about here.
  expect([...db.objectStoreNames].filter((name) => !(sealedTables as readonly string[]).includes(name))).toEqual([
    'chats',
    'meta',
  ])
  for (const table of sealedTables) {
    const at = '2026-01-01T00:00:00.000Z'
    const bare = { id: 'x', channelId: 'x', chatId: 'x_anonymous', exchangeId: 'x', position: 1, at, startedAt: at }
    const sealed = await old.seal({ table, id: 'x', channelId: 'x' }, { secret: table })
    await db.put(table, { ...bare, ...(table === 'exchanges' ? { form: exchangeForm } : {}), ...sealed })
  }
  const ofBefore = { id: 'y', channelId: 'x', chatId: 'x_anonymous', position: 2, at: '2026-01-01T00:00:00.000Z' }
  const message = await old.seal({ table: 'messages', id: 'y', channelId: 'x' }, { secret: 'message of before' })
  await db.put('exchanges', { ...ofBefore, ...message })
  expect([...(await reencrypt(db, new KeyVault([before, after], 'after'), 'after'))]).toEqual([])
  const fresh = new KeyVault([after])
  for (const table of sealedTables) {
    const [record] = await db.getAll(table as SealedTable)
    if (!record) throw new Error(`no record in ${table}`)
    expect(await fresh.open(bindingOf({ table, record }), record)).toEqual({ secret: table })
  }
  const moved = await db.get('exchanges', ['x_anonymous', 2])
  if (!moved) throw new Error('no message of before')
  expect(await fresh.open(bindingOf({ table: 'exchanges', record: moved }), moved)).toEqual({
    secret: 'message of before',
  })
  db.close()
})
