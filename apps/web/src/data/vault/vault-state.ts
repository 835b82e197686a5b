import { create } from 'zustand'
import type { AccountVault, VaultSettings } from '../local/account-vault'
import { announceHere, announceToOthers, onChange } from '../local/changes'
import { forgetDevice, openAccountVault, reopenDevice } from '../local/device'
import { onSessionChange, storedSession } from '../session/stored-session'
import { tryToUnlock } from './unlock-tries'

type State = {
  /** open: chats can be read; also of an anonymous person. locked: a passphrase is needed first. */
  status: 'opening' | 'open' | 'locked'
  settings: VaultSettings | undefined
}

export const useVault = create<State>(() => ({ status: storedSession() ? 'opening' : 'open', settings: undefined }))

let account: AccountVault | undefined

/** Looks at the vault of whoever is signed in, and asks other tabs for the keys of one that is locked. Called at the start. */
export async function watchVault(): Promise<void> {
  onSessionChange(() => void look())
  onChange(({ kind }) => {
    if (kind === 'vault') void look()
    // The keys are in the memory of each page: a new page is the sure way to be rid of them.
    if (kind === 'vault-locked') leave()
  })
  listenForKeys()
  await look()
  watchIdleness()
}

let looks = 0

async function look(): Promise<void> {
  const turn = ++looks
  forgetDevice()
  const found = await openAccountVault().catch(() => undefined)
  // Somebody else has signed in or out meanwhile.
  if (turn !== looks) return
  account = found
  show()
  if (account?.isLocked) askForKeys()
  // A change of level that a crash interrupted goes on by itself.
  if (account && !account.isLocked) void account.finish().then(reopened, () => undefined)
}

function show(): void {
  useVault.setState({ status: account?.isLocked ? 'locked' : 'open', settings: account?.settings })
}

function reopened(): void {
  reopenDevice()
  show()
  // What could not be read with the keys of before may be readable now.
  announceHere({ kind: 'keys' })
}

/** Opens the locked vault of this page. Throws vault.wrong-passphrase and vault.too-many-tries. */
export async function unlockVault(secret: string, by: 'passphrase' | 'code'): Promise<void> {
  if (!account) return
  const vault = account
  await tryToUnlock(vault.name, () => (by === 'passphrase' ? vault.unlock(secret) : vault.unlockByCode(secret)))
  noteActivity()
  reopened()
  await account.finish()
  reopened()
}

/** Sets the passphrase, or another one when there is one already. */
export async function setPassphrase(next: string, recoveryCode: string, current?: string): Promise<void> {
  if (!account) return
  noteActivity()
  const vault = account
  if (current === undefined) await vault.lock(next, recoveryCode)
  else await tryToUnlock(vault.name, () => vault.changePassphrase(current, next, recoveryCode))
  reopened()
  announceToOthers({ kind: 'vault' })
}

export async function removePassphrase(): Promise<void> {
  await account?.unseal()
  reopened()
  announceToOthers({ kind: 'vault' })
}

export async function setIdleMinutes(minutes: number): Promise<void> {
  await account?.setIdleMinutes(minutes)
  reopened()
  announceToOthers({ kind: 'vault' })
}

/** Locks all tabs: they begin anew, without the keys. */
export function lockVault(): void {
  announceToOthers({ kind: 'vault-locked' })
  leave()
}

let isLeaving = false

function leave(): void {
  // Until it is gone the page hears other tabs: one that has begun anew must not get the keys from it.
  isLeaving = true
  location.reload()
}

const keyTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('parley-keys')

/** A tab that is opened beside an unlocked one need not ask for the passphrase again: keys can be handed over, not read. */
function listenForKeys(): void {
  if (!keyTabs) return
  keyTabs.onmessage = ({ data }: MessageEvent<{ wanted?: string; vault?: string; keys?: AccountVault['heldKeys'] }>) => {
    const name = account?.name
    if (data.wanted !== undefined && data.wanted === name && account && !account.isLocked && !isLeaving && account.settings.level === 'locked')
      keyTabs.postMessage({ vault: name, keys: account.heldKeys })
    if (data.keys && data.vault === name && account?.isLocked) {
      account.take(data.keys)
      reopened()
    }
  }
}

function askForKeys(): void {
  keyTabs?.postMessage({ wanted: account?.name })
}

const activityKey = 'vault-active-at'
const checkMs = 5_000
const noteMs = 10_000
let notedAt = 0

function noteActivity(): void {
  notedAt = Date.now()
  localStorage.setItem(activityKey, String(notedAt))
}

/** Over all tabs: activity in one keeps the others open. Also after a sleep, in which no clock ran. */
function watchIdleness(): void {
  const note = (): void => {
    if (useVault.getState().settings?.level === 'locked' && Date.now() - notedAt > noteMs) noteActivity()
  }
  const check = (): void => {
    const { status, settings } = useVault.getState()
    if (status !== 'open' || settings?.level !== 'locked') return
    const idleMs = Date.now() - Number(localStorage.getItem(activityKey) ?? 0)
    if (idleMs > settings.idleMinutes * 60_000) lockVault()
  }
  setInterval(check, checkMs)
  // Before the activity of waking up counts as one.
  document.addEventListener('visibilitychange', check, true)
  addEventListener('focus', check, true)
  for (const event of ['pointerdown', 'keydown', 'wheel']) addEventListener(event, note, { capture: true, passive: true })
}
