import type { Message } from '@parley/contract/chat'
import * as z from 'zod/mini'
import { bareMessage } from '../../data/channels/bare-message'
import { LocalChannelStore } from '../../data/channels/local-channel-store'
import { AccountVault } from '../../data/local/account-vault'
import { openDatabase, vaultName } from '../../data/local/database'
import type { Device } from '../../data/local/device'
import { openDeviceVault } from '../../data/local/vault'
import { readGeneration } from '../../data/local/vault-record'
import accountFile from './account-v2.json?raw'
import anonymousFile from './anonymous-v2.json?raw'
import lockedFile from './locked-v2.json?raw'
import { restoreDatabase, VaultFile } from './vault-file'
import { theAccountKey, thePassphrase, theUserId } from './vault-secrets'

const read = (text: string): VaultFile => z.parse(VaultFile, JSON.parse(text))

/** What a vault answers: its channels, and the messages of each in their order. */
export type Answers = Pick<VaultFile, 'channels' | 'messages'>
export type OldVault = { file: VaultFile; open: () => Promise<Device> }

let count = 0
export const newName = (): string => `parley-old-${++count}-${Math.random().toString(36).slice(2)}`

export const anonymousVault = read(anonymousFile)

/**
 * The anonymous vault of a version, under a name that nobody else has; of its long chat perhaps the beginning alone.
 */
export async function anAnonymousVault({
  longChat = Number.POSITIVE_INFINITY,
  name = newName(),
} = {}): Promise<OldVault & { name: string }> {
  const [records, keys] = anonymousVault.databases
  if (!records || !keys) throw new Error('the file is not whole')
  const isWanted = ({ channelId, position }: Record<string, unknown>): boolean =>
    channelId !== 'long' || typeof position !== 'number' || position <= longChat
  const stores = records.stores.map((store) => ({ ...store, records: store.records.filter(isWanted) }))
  await restoreDatabase({ ...records, stores }, name)
  await restoreDatabase(keys, `${name}-keys`)
  return { name, file: anonymousVault, open: () => openAnonymous(name) }
}

/** As a page opens it: each call is another page. */
export async function openAnonymous(name: string): Promise<Device> {
  const db = await openDatabase(name)
  const vault = await openDeviceVault(name)
  return { db, vault, userId: undefined, generation: await readGeneration(db), forget: () => undefined }
}

export async function anAccountVault(): Promise<OldVault> {
  const file = read(accountFile)
  await restore(file)
  await AccountVault.signIn(theUserId, theAccountKey)
  return { file, open: openAccount }
}

/** Locked with a passphrase. */
export async function aLockedVault(): Promise<OldVault & { unlock: () => Promise<Device> }> {
  const file = read(lockedFile)
  await restore(file)
  return {
    file,
    open: openAccount,
    async unlock() {
      const account = await AccountVault.open(theUserId)
      await account?.unlock(thePassphrase)
      return deviceOf(account)
    },
  }
}

async function restore(file: VaultFile): Promise<void> {
  const [records] = file.databases
  if (!records) throw new Error('the file is not whole')
  for (const name of [vaultName(theUserId), `${vaultName(theUserId)}-keys`])
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = resolve
      request.onerror = reject
    })
  await restoreDatabase(records)
}

const openAccount = async (): Promise<Device> => deviceOf(await AccountVault.open(theUserId))

async function deviceOf(account: AccountVault | undefined): Promise<Device> {
  if (!account) throw new Error('there is no vault')
  const generation = await readGeneration(account.db)
  return { db: account.db, vault: account.vault, userId: theUserId, generation, forget: () => undefined }
}

/** What a page of this version shows of a vault, without the places of messages, which no version before told. */
export async function answersOf(device: Device): Promise<Answers> {
  const store = new LocalChannelStore({ open: async () => device })
  const channels = await store.list()
  const messages: Record<string, Message[]> = {}
  for (const { id } of channels) messages[id] = (await store.messages(id, { limit: 10_000 })).messages.map(bareMessage)
  return JSON.parse(JSON.stringify({ channels, messages }))
}

/**
 * What the version that wrote the file answered. Of two messages of one run, which both copies of a chat once had
 * become, the second has a run of its own after the conversion.
 */
export function expectedOf({ channels, messages }: VaultFile, { isConverted }: { isConverted: boolean }): Answers {
  const seen = new Set<unknown>()
  const withOwnRun = (message: Answers['messages'][string][number]) => {
    const run = message.run as { messageId: string } | undefined
    const isTwin = run !== undefined && seen.has(run.messageId)
    seen.add(run?.messageId)
    return isTwin && isConverted ? { ...message, run: { ...run, messageId: message.mId ?? '' } } : message
  }
  return {
    channels,
    messages: Object.fromEntries(Object.entries(messages).map(([id, each]) => [id, each.map(withOwnRun)])),
  }
}
