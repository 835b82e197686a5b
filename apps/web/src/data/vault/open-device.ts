import { AppError } from '@parley/contract/errors'
import { whenIdle } from '../../lib/when-idle'
import type { AccountVault } from '../local/account-vault'
import { conversionId, conversionIsOver, openDatabase } from '../local/database'
import type { Device } from '../local/device'
import { openDeviceVault } from '../local/vault'
import { readGeneration } from '../local/vault-record'
import { scoped } from '../scope/scope'
import { forgetSession, storedSession } from '../session/stored-session'
import { recordMissingVault } from './storage-loss'

type DeviceHandle = {
  userId: string | undefined
  account: Promise<AccountVault | undefined>
  device: Promise<Device>
  /** Its vault is closed. */
  isDropped?: true
}

type Handles = {
  handle: DeviceHandle | undefined
  /** The last handle: the next one takes over its keys, which may be in memory only. */
  previous: DeviceHandle | undefined
  /** The person who is signing out. */
  leaving: string | undefined
}

const handles = scoped((scope): Handles => {
  const own: Handles = { handle: undefined, previous: undefined, leaving: undefined }
  scope.onDispose(() => drop(own))
  return own
})

/**
 * Opens the vault of the signed-in person, or this browser's anonymous one: once, and again after the browser closed
 * it. Throws vault.locked.
 */
export function openDevice(): Promise<Device> {
  return currentHandle().device
}

/** The account's vault, locked or not; undefined for an anonymous person. */
export function openAccountVault(): Promise<AccountVault | undefined> {
  return currentHandle().account
}

/** Drops the handle and its keys in memory, as at a new start. */
export const forgetDevice = (): void => drop(handles())

function drop(own: Handles): void {
  const last = own.handle
  own.handle = undefined
  own.previous = undefined
  if (last) last.isDropped = true
  last?.account.then((account) => account?.db.close()).catch(() => undefined)
}

/**
 * Like forgetDevice, for a person who is signing out: a caller that looks for the keys meanwhile must not take them for
 * lost, and end the session before the vault is closed.
 */
export function closeDevice(userId: string): void {
  handles().leaving = userId
  forgetDevice()
}

function currentHandle(): DeviceHandle {
  const userId = storedSession()?.user.id
  const own = handles()
  if (own.handle && own.handle.userId === userId) return own.handle
  const account = userId === undefined ? Promise.resolve(undefined) : openAccount(userId, own)
  const made: DeviceHandle = {
    userId,
    account,
    device: account
      .then((vault) => open(userId, vault, () => forget(own, made)))
      .catch((error: unknown) => {
        if (!made.isDropped) throw error
        // The vault is read anew, as after a sign-in: whoever has waited for this one waits for the next.
        const isAnew = handles() === own && userId !== own.leaving && storedSession()?.user.id === userId
        if (isAnew) return openDevice()
        // Whoever was opening it when its person left must not take the device for one without storage.
        throw new AppError('vault.locked', { cause: error })
      }),
  }
  own.handle = made
  made.device.catch((error: unknown) => {
    // A locked vault keeps its handle for the passphrase.
    if (!(error instanceof Error && 'code' in error && error.code === 'vault.locked')) forget(own, made)
  })
  return made
}

function forget(own: Handles, one: DeviceHandle): void {
  if (own.handle !== one) return
  own.handle = undefined
  own.previous = one
}

/**
 * Opens an account's vault with the keys that this page has already: a change of level that runs beside a write must
 * not lock the page.
 */
async function openAccount(userId: string, own: Handles): Promise<AccountVault | undefined> {
  const last = own.previous
  // Loaded here: anonymous people do not need it.
  const { AccountVault } = await import('../local/account-vault')
  // Opening it now would recreate the database that the sign-out is erasing.
  if (userId === own.leaving) throw new AppError('vault.locked')
  const account = await AccountVault.open(userId)
  const known = last?.userId === userId ? await last.account.catch(() => undefined) : undefined
  account?.addKeys(known?.heldKeys ?? [])
  return account
}

/** Opens the device of the same vault again after an unlock. */
export function reopenDevice(): void {
  const own = handles()
  const last = own.handle
  if (!last) return
  const made: DeviceHandle = {
    ...last,
    device: last.account.then((vault) => open(last.userId, vault, () => forget(own, made))),
  }
  own.handle = made
  made.device.catch(() => undefined)
}

async function open(
  userId: string | undefined,
  account: AccountVault | undefined,
  forgetThis: () => void,
): Promise<Device> {
  if (userId !== undefined && !account) {
    // The browser evicted the vault but not the session: a new sign-in restores what can be restored, and a loss is
    // reported.
    await recordMissingVault(userId).catch(() => undefined)
    forgetSession()
    return openDevice()
  }
  const db = account?.db ?? (await openDatabase())
  const vault = account?.vault ?? (await openDeviceVault())
  const device: Device = { db, vault, userId, generation: await readGeneration(db), forget: forgetThis }
  db.addEventListener('close', forgetThis)
  db.addEventListener('versionchange', forgetThis)
  if ((await db.get('meta', conversionId))?.value !== conversionIsOver) whenIdle(() => void convertOldMessages())
  return device
}

/** What a failure leaves is converted when the vault is opened the next time. */
async function convertOldMessages(): Promise<void> {
  const { convertMessages } = await import('../local/convert-messages')
  await convertMessages(openDevice).catch(() => undefined)
}
