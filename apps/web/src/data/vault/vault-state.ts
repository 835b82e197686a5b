import { create } from 'zustand'
import { rememberLock } from '../../lib/first-screen'
import type { AccountVault, VaultSettings } from '../local/account-vault'
import { announceHere, announceToOthers, onChange } from '../local/changes'
import { currentScope, scoped } from '../scope/scope'
import { onSessionChange, storedSession } from '../session/stored-session'
import { forgetDevice, openAccountVault, reopenDevice } from './open-device'
import { tryToUnlock } from './unlock-tries'

type State = {
  /** open: chats can be read, also an anonymous person's. locked: the passphrase is needed first. */
  status: 'opening' | 'open' | 'locked'
  settings: VaultSettings | undefined
}

export const useVault = create<State>(() => ({ status: storedSession() ? 'opening' : 'open', settings: undefined }))

const accountOf = scoped((): { account: AccountVault | undefined; notedAt: number } => ({
  account: undefined,
  notedAt: 0,
}))

/**
 * Reads the state of the signed-in person's vault, and asks other tabs for the keys of a locked one. Called once at the
 * start.
 */
export async function watchVault(): Promise<void> {
  onSessionChange(() => void readVault())
  onChange(({ kind }) => {
    if (kind === 'vault') void readVault()
    // Each page has the keys in memory: a reload is the reliable way to drop them.
    if (kind === 'vault-locked') reloadPage()
  })
  listenForKeys()
  await readVault()
  watchIdleness()
}

const reads = scoped(() => ({ count: 0 }))

async function readVault(): Promise<void> {
  const scope = currentScope()
  const [own, look] = [accountOf(scope), reads(scope)]
  const turn = ++look.count
  forgetDevice()
  const found = await openAccountVault().catch(() => undefined)
  // The person has changed meanwhile, or it is being read once more.
  if (scope.isDisposed || turn !== look.count) return
  own.account = found
  const { account } = own
  show()
  if (account?.isLocked) askForKeys()
  // Resumes a change of level that a crash interrupted.
  if (account && !account.isLocked) void account.finish().then(publishReopened, () => undefined)
}

function show(): void {
  const { account } = accountOf()
  rememberLock(account?.settings.level === 'locked')
  useVault.setState({ status: account?.isLocked ? 'locked' : 'open', settings: account?.settings })
}

function publishReopened(): void {
  reopenDevice()
  show()
  // Records that were unreadable with the former keys may be readable now.
  announceHere({ kind: 'keys' })
}

/** Opens the locked vault of this page. Throws vault.wrong-passphrase and vault.too-many-tries. */
export async function unlockVault(secret: string, by: 'passphrase' | 'code'): Promise<void> {
  const { account: vault } = accountOf()
  if (!vault) return
  await tryToUnlock(vault.name, () => (by === 'passphrase' ? vault.unlock(secret) : vault.unlockByCode(secret)))
  noteActivity()
  publishReopened()
  await vault.finish()
  publishReopened()
}

/** Sets or changes the passphrase. */
export async function setPassphrase(next: string, recoveryCode: string, current?: string): Promise<void> {
  const { account: vault } = accountOf()
  if (!vault) return
  noteActivity()
  if (current === undefined) await vault.lock(next, recoveryCode)
  else await tryToUnlock(vault.name, () => vault.changePassphrase(current, next, recoveryCode))
  publishReopened()
  announceToOthers({ kind: 'vault' })
}

export async function removePassphrase(): Promise<void> {
  await accountOf().account?.unseal()
  publishReopened()
  announceToOthers({ kind: 'vault' })
}

export async function setIdleMinutes(minutes: number): Promise<void> {
  await accountOf().account?.setIdleMinutes(minutes)
  publishReopened()
  announceToOthers({ kind: 'vault' })
}

/** Locks all tabs: they reload, without the keys. */
export function lockVault(): void {
  announceToOthers({ kind: 'vault-locked' })
  reloadPage()
}

let isLeaving = false

/** Whether this page is being locked: nothing may hold up its reload, which drops the keys. */
export const isLockingPage = (): boolean => isLeaving

function reloadPage(): void {
  // Until the page is gone it still receives messages: a reloaded tab must not get the keys from it.
  isLeaving = true
  location.reload()
}

const keyTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('parley-keys')

/** Lets a new tab get the keys from an unlocked one without the passphrase: keys can be passed on, but not exported. */
function listenForKeys(): void {
  if (!keyTabs) return
  keyTabs.onmessage = ({
    data,
  }: MessageEvent<{ wanted?: string; vault?: string; keys?: AccountVault['heldKeys'] }>) => {
    const { account } = accountOf()
    const name = account?.name
    if (
      data.wanted !== undefined &&
      data.wanted === name &&
      account &&
      !account.isLocked &&
      !isLeaving &&
      account.settings.level === 'locked'
    )
      keyTabs.postMessage({ vault: name, keys: account.heldKeys })
    if (data.keys && data.vault === name && account?.isLocked) {
      account.addKeys(data.keys)
      publishReopened()
    }
  }
}

function askForKeys(): void {
  keyTabs?.postMessage({ wanted: accountOf().account?.name })
}

const activityKey = 'vault-active-at'
const checkMs = 5_000
const noteMs = 10_000

function noteActivity(): void {
  const own = accountOf()
  own.notedAt = Date.now()
  localStorage.setItem(activityKey, String(own.notedAt))
}

/** Locks after the idle time, counted over all tabs, also after a sleep in which no timer ran. */
function watchIdleness(): void {
  const note = (): void => {
    if (useVault.getState().settings?.level === 'locked' && Date.now() - accountOf().notedAt > noteMs) noteActivity()
  }
  const check = (): void => {
    const { status, settings } = useVault.getState()
    if (status !== 'open' || settings?.level !== 'locked') return
    const idleMs = Date.now() - Number(localStorage.getItem(activityKey) ?? 0)
    if (idleMs > settings.idleMinutes * 60_000) lockVault()
  }
  setInterval(check, checkMs)
  // In the capture phase, before the waking-up itself counts as activity.
  document.addEventListener('visibilitychange', check, true)
  addEventListener('focus', check, true)
  for (const event of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(event, note, { capture: true, passive: true })
}
