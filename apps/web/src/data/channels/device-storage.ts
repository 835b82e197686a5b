import { useEffect, useState } from 'react'
import { onChange } from '../local/changes'

export type DeviceStorage = { usedBytes: number; quotaBytes: number; isPersisted: boolean; isNearlyFull: boolean }

const nearlyFull = 0.8
const measureEveryMs = 60_000

export async function measureStorage(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<DeviceStorage | undefined> {
  if (!storage?.estimate) return undefined
  const [{ usage = 0, quota = 0 }, isPersisted] = await Promise.all([
    storage.estimate(),
    storage.persisted?.() ?? false,
  ])
  return { usedBytes: usage, quotaBytes: quota, isPersisted, isNearlyFull: quota > 0 && usage / quota >= nearlyFull }
}

let hasRequested = false

/**
 * Asks the browser once not to evict this site's storage when the disk is full; called when there is something to lose.
 */
export async function requestPersistence(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<void> {
  if (hasRequested || !storage?.persist) return
  hasRequested = true
  // The browser may refuse; the warning at 80 % remains.
  await storage.persist().catch(() => false)
}

/**
 * Asks the browser again, because the person wants it: the browser may ask back, or decide by itself. Answers whether
 * the storage is persistent now.
 */
export async function persistStorage(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<boolean> {
  return (await storage?.persist?.().catch(() => false)) ?? false
}

const unknown: DeviceStorage = { usedBytes: 0, quotaBytes: 0, isPersisted: false, isNearlyFull: false }

/** How full this device's storage is; zeros until it is known, and where the browser does not tell. */
export function useDeviceStorage(): DeviceStorage {
  const [state, setState] = useState(unknown)
  useEffect(() => {
    let lookedAt = 0
    const look = (): void => {
      if (Date.now() - lookedAt < measureEveryMs) return
      lookedAt = Date.now()
      measureStorage().then(
        (measured) => setState(measured ?? unknown),
        () => undefined,
      )
    }
    look()
    return onChange(look)
  }, [])
  return state
}
