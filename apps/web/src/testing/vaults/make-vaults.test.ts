import 'fake-indexeddb/auto'
import '../browser-gaps'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@parley/contract/chat'
import { product } from '@parley/contract/product'
import { argon2id } from 'hash-wasm'
import { expect, it, vi } from 'vitest'
import { LocalChannelStore } from '../../data/channels/local-channel-store'
import { AccountVault } from '../../data/local/account-vault'
import { openDatabase, vaultName } from '../../data/local/database'
import { type Device, openAnonymousDevice } from '../../data/local/device'
import { readGeneration } from '../../data/local/vault-record'
import { dumpDatabase, type VaultFile } from './vault-file'
import { theAccountKey, thePassphrase, theUserId } from './vault-secrets'

// Makes the files of this folder with the code of the commit that is checked out:
//   MAKE_VAULTS=1 npx vitest run --project web src/testing/vaults/make-vaults
// They stand for what people have on their disks, so a file of a version is made once and never again.
const isWanted = process.env.MAKE_VAULTS !== undefined
const folder = import.meta.dirname

const at = (second: number): string => new Date(Date.UTC(2026, 5, 28, 3, 15, second)).toISOString()
const runId = (n: number): string => `019f0c39-${(0xe000 + n).toString(16)}-7000-8000-${String(n).padStart(12, '0')}`
const answer = (content: string) => ({ role: 'assistant' as const, content })
const cost = (nano: number) => ({ inputTokens: nano % 97, outputTokens: nano % 89, cost: String(nano) })

function aMessage(channelId: string, n: number, fields: Partial<Message> = {}): Message {
  const mId = runId(n)
  return {
    ...{ mId, channelId, chat_request: `Question ${n}`, chat_response: answer(`Answer ${n}`), datetime: at(n) },
    ...{ status: 'completed', model: 'a/model', usage: cost(1_000 + n), finishReason: 'stop', durationMs: 40 * n },
    ...{ run: { messageId: mId, seq: 5 + n, base: 0 } },
    ...fields,
  }
}

/** A message of every kind that the program writes or takes in. */
function everyKind(channelId: string): Message[] {
  const make = (n: number, fields: Partial<Message> = {}): Message => aMessage(channelId, n, fields)
  const { run: _run, usage: _usage, ...bare } = make(4)
  const waiting = { chat_response: answer(''), model: undefined, usage: undefined, finishReason: undefined }
  const previous = {
    ...{ chat_response: answer('Answer of before'), status: 'completed' as const, model: 'b/model' },
    ...{ usage: cost(77), assistantId: 'agent-1', durationMs: 12 },
  }
  const shared = make(16)
  return [
    make(1),
    make(2, { status: 'stopped', finishReason: undefined }),
    make(3, { status: 'failed', error: { code: 'chat.gateway', content: 'Busy' }, chat_response: answer('') }),
    { ...bare, mId: 'imported-4', status: 'interrupted' },
    make(5, { empty: true, usage: undefined, chat_response: answer('I apologize') }),
    make(6, { author: { id: 'person-2', name: 'Bruno' } }),
    make(7, { author: { name: 'Someone who left' }, assistantId: null }),
    { ...make(8, { forwarded: true, usage: undefined }), run: undefined },
    make(9, {
      ...{ chat_response: answer('The first part, and the rest'), usage: cost(900) },
      run: { messageId: runId(109), seq: 9, base: 14, question: 'Go on', used: cost(300) },
    }),
    make(10, { ...waiting, status: 'queued', run: { messageId: runId(110), seq: 0, base: 0, previous } }),
    make(11, { usage: undefined, run: { messageId: runId(111), seq: 3, base: 0 } }),
    // A regenerated answer that never arrived: the one of before stands again.
    make(12, { ...previous, finishReason: undefined, run: { messageId: runId(112), seq: 4, base: 16 } }),
    make(13, {
      ...{ ...waiting, chat_response: answer('Half'), status: 'queued' },
      run: {
        ...{ messageId: runId(113), seq: 0, base: 4, question: 'Continue', used: cost(50) },
        previous: { ...previous, chat_response: answer('Half'), status: 'interrupted', usage: cost(50) },
      },
    }),
    make(14, { ...waiting, status: 'streaming', chat_response: answer('So fa') }),
    make(15, { chat_request: '', chat_response: answer('“Ünïcode” 🌙\n\n```ts\nlet a\n```') }),
    // Both copies of a chat had changed: two messages of one run.
    shared,
    { ...shared, mId: '5e0e7b6e-4f0f-8a11-8111-0123456789ab', chat_response: answer('The other copy') },
    make(18, { ...waiting, status: 'sent' }),
  ].map((message) => JSON.parse(JSON.stringify(message)))
}

async function fill(store: LocalChannelStore, device: Device, longChat: number): Promise<void> {
  const made = { assistantId: null, created_at: at(0), updated_at: at(0) }
  await store.create({ ...made, id: 'every-kind', channelName: 'Every kind' })
  for (const message of everyKind('every-kind')) await store.put(message)
  await store.create({ ...made, id: 'long', channelName: 'Long', isLocked: true })
  await store.addMessages(
    'long',
    Array.from({ length: longChat }, (_, n) => aMessage('long', n + 200)),
  )
  await store.create({ ...made, id: 'with-gaps', channelName: 'With gaps', assistantId: 'agent-1' })
  for (let n = 700; n < 708; n++) await store.put(aMessage('with-gaps', n))
  for (const n of [701, 704, 707]) await store.removeMessage('with-gaps', runId(n))
  await store.create({ ...made, id: 'damaged', channelName: 'Damaged' })
  for (let n = 800; n < 806; n++) await store.put(aMessage('damaged', n))
  const [, second, , fourth, , last] = await device.db.getAll(
    'exchanges',
    IDBKeyRange.bound([`damaged_${device.userId ?? 'anonymous'}`, 0], [`damaged_${device.userId ?? 'anonymous'}`, 99]),
  )
  if (!second || !fourth || !last) throw new Error('the chat is too short')
  await device.db.put('exchanges', { ...second, c: new Uint8Array(second.c).fill(7).buffer })
  await device.db.put('exchanges', { ...fourth, v: fourth.v + 1 })
  await device.db.put('exchanges', { ...last, c: new Uint8Array(last.c).fill(9).buffer })
  await store.create({ ...made, id: 'cleared', channelName: 'Cleared' })
  await store.put(aMessage('cleared', 900))
  await store.clear('cleared')
}

async function answers(store: LocalChannelStore): Promise<Pick<VaultFile, 'channels' | 'messages'>> {
  const channels = await store.list()
  const messages: VaultFile['messages'] = {}
  for (const { id } of channels)
    messages[id] = JSON.parse(JSON.stringify((await store.messages(id, { limit: 10_000 })).messages))
  return { channels: JSON.parse(JSON.stringify(channels)), messages }
}

async function write(name: string, databases: string[], said: Pick<VaultFile, 'channels' | 'messages'>) {
  const madeBy = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim()
  const dumped: VaultFile['databases'] = []
  for (const each of databases) dumped.push(await dumpDatabase(each))
  const version = dumped[0]?.version ?? 0
  const file: VaultFile = { madeBy, databases: dumped, ...said }
  writeFileSync(join(folder, `${name}-v${version}.json`), `${JSON.stringify(file)}\n`)
}

/** The hash that the program leaves to a worker. */
class HashWorker {
  onmessage: ((event: { data: Uint8Array }) => void) | null = null
  postMessage(order: { password: string; salt: Uint8Array; memoryKiB: number; passes: number }): void {
    const { memoryKiB: memorySize, passes: iterations, ...rest } = order
    const settings = { ...rest, memorySize, iterations, parallelism: 1, hashLength: 32, outputType: 'binary' as const }
    void argon2id(settings).then((data) => this.onmessage?.({ data }))
  }
  terminate(): void {}
}

it.runIf(isWanted)('makes the vaults of this version', async () => {
  const { generateKey } = crypto.subtle
  vi.spyOn(crypto.subtle, 'generateKey').mockImplementation(((...[algorithm, , usages]: [never, boolean, never]) =>
    generateKey.call(crypto.subtle, algorithm, true, usages)) as never)
  const anonymous = await openAnonymousDevice()
  const ofDevice = new LocalChannelStore({ open: async () => anonymous })
  await fill(ofDevice, anonymous, 420)
  const said = await answers(ofDevice)
  anonymous.db.close()
  await write('anonymous', [product.slug, `${product.slug}-keys`], said)

  await AccountVault.signIn(theUserId, theAccountKey)
  const account = await AccountVault.open(theUserId)
  if (!account) throw new Error('there is no vault')
  const deviceOf = async (): Promise<Device> => ({
    ...{ db: account.db, vault: account.vault, userId: theUserId },
    ...{ generation: await readGeneration(account.db), forget: () => undefined },
  })
  const store = new LocalChannelStore({ open: deviceOf })
  await fill(store, await deviceOf(), 30)
  await write('account', [vaultName(theUserId)], await answers(store))

  vi.stubGlobal('Worker', HashWorker)
  await account.lock(thePassphrase, undefined)
  await write('locked', [vaultName(theUserId)], await answers(store))
  account.db.close()
  expect((await openDatabase(vaultName(theUserId))).version).toBeGreaterThan(1)
})
