import { AppError } from '@parley/contract/errors'
import { product } from '@parley/contract/product'
import { forgetSession, onSessionChange, storedSession } from '../session/stored-session'
import { noteVaultGone } from '../vault/storage-loss'
import type { AccountVault } from './account-vault'
import { type LocalDatabase, openDatabase } from './database'
import { openDeviceVault, type Vault } from './vault'
import { readGeneration } from './vault-record'

/** A vault that is open: its records, and what reads and writes them. */
export type Device = {
  db: LocalDatabase
  vault: Vault
  /** Whose it is; undefined: of the anonymous person of this browser. */
  userId: string | undefined
  /** Of its keys. What is written with an older one is refused. */
  generation: number
  /** The next one who asks gets it opened anew. */
  forget(): void
}

type Opened = { userId: string | undefined; account: Promise<AccountVault | undefined>; device: Promise<Device> }

let opened: Opened | undefined
/** What the next opening takes over: keys that are in memory alone would be lost with it. */
let before: Opened | undefined

/** The storage of whoever is signed in, or of this browser's anonymous person: opened when it is first needed, and again after the browser closed it. Throws vault.locked. */
export function openDevice(): Promise<Device> {
  return current().device
}

/** The account's vault, locked or not; undefined for an anonymous person. */
export function openAccountVault(): Promise<AccountVault | undefined> {
  return current().account
}

/** As at a new start: the keys that are held in memory are dropped. */
export function forgetDevice(): void {
  const last = opened
  opened = undefined
  before = undefined
  last?.account.then((account) => account?.db.close()).catch(() => undefined)
}

/** Whose session is about to end. */
let leaving: string | undefined
onSessionChange(() => {
  leaving = undefined
})

/** As forgetDevice, when this person's vault is about to be closed: who looks for its keys meanwhile must not take them for lost, and end the session before that is done. */
export function leaveDevice(userId: string): void {
  leaving = userId
  forgetDevice()
}

function current(): Opened {
  const userId = storedSession()?.user.id
  if (opened && opened.userId === userId) return opened
  const account = userId === undefined ? Promise.resolve(undefined) : openAccount(userId, before)
  const made: Opened = { userId, account, device: account.then((vault) => open(userId, vault, () => forget(made))) }
  opened = made
  made.device.catch((error: unknown) => {
    // A vault that is locked stays open for its passphrase.
    if (!(error instanceof Error && 'code' in error && error.code === 'vault.locked')) forget(made)
  })
  return made
}

function forget(one: Opened): void {
  if (opened !== one) return
  opened = undefined
  before = one
}

/** With the keys that this page holds already: a change of level that runs beside a write must not lock the page. */
async function openAccount(userId: string, last: Opened | undefined): Promise<AccountVault | undefined> {
  // Who chats anonymously has no use for it.
  const { AccountVault } = await import('./account-vault')
  // What is opened now would be made anew by whoever erases it.
  if (userId === leaving) throw new AppError('vault.locked')
  const account = await AccountVault.open(userId)
  const known = last?.userId === userId ? await last.account.catch(() => undefined) : undefined
  account?.take(known?.heldKeys ?? [])
  return account
}

/** After an unlock: the same vault, now with its keys. */
export function reopenDevice(): void {
  const last = opened
  if (!last) return
  const made: Opened = { ...last, device: last.account.then((vault) => open(last.userId, vault, () => forget(made))) }
  opened = made
  made.device.catch(() => undefined)
}

async function open(userId: string | undefined, account: AccountVault | undefined, forgetThis: () => void): Promise<Device> {
  if (userId !== undefined && !account) {
    // The browser lost the vault but not the session: a sign-in brings back what can be brought back, and what cannot is said.
    await noteVaultGone(userId).catch(() => undefined)
    forgetSession()
    return openDevice()
  }
  const db = account?.db ?? (await openDatabase())
  const vault = account?.vault ?? (await openDeviceVault())
  const device: Device = { db, vault, userId, generation: await readGeneration(db), forget: forgetThis }
  db.addEventListener('close', forgetThis)
  db.addEventListener('versionchange', forgetThis)
  return device
}

/** This browser's anonymous vault, whoever is signed in. */
export async function openAnonymousDevice(): Promise<Device> {
  const db = await openDatabase(product.slug)
  return { db, vault: await openDeviceVault(product.slug), userId: undefined, generation: await readGeneration(db), forget: () => undefined }
}
