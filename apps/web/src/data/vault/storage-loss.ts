// Detects that the browser has evicted chats. It may evict this site's databases and keep its local storage: a mark
// there says that a database had chats, a record in the database says that it is still the same one. A mark without
// that record means that the chats were evicted.
import { product } from '@parley/contract/product'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { type LocalDatabase, openDatabase, vaultName } from '../local/database'

const markKey = 'chats-here'
const lossKey = 'chats-lost'
const recordId = 'chats-here'
const markEveryMs = 60 * 60_000

/** By database name: when chats were last seen in it, ISO 8601 UTC. */
const Times = z.record(z.string(), z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))))
type Times = z.infer<typeof Times>

function read(key: string): Times {
  try {
    return z.safeParse(Times, JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch {
    // Storage is denied or broken: nothing is known of earlier chats.
    return {}
  }
}

/** Each change starts with the stored value, since another tab may have changed other names. */
function change(key: string, name: string, at: string | undefined): void {
  const { [name]: _before, ...others } = read(key)
  const next = at === undefined ? others : { ...others, [name]: at }
  try {
    if (Object.keys(next).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without the mark a later loss goes unnoticed; nothing else depends on it.
  }
}

const useLosses = create<{ losses: Times }>(() => ({ losses: read(lossKey) }))
const show = (): void => useLosses.setState({ losses: read(lossKey) })

globalThis.addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === null || key === lossKey) show()
})

/**
 * Called each time a vault's list is read. Marks at most once an hour that it has chats; where it has none, decides
 * whether the person removed them or the browser did. Never throws.
 */
export async function recordChats(db: LocalDatabase, count: number, now: Date = new Date()): Promise<void> {
  const seenAt = read(markKey)[db.name]
  try {
    if (count > 0) {
      if (seenAt !== undefined && Math.abs(now.getTime() - Date.parse(seenAt)) < markEveryMs) return
      // Stored before the mark: a mark alone would mean a loss.
      await db.put('meta', { id: recordId, value: now.toISOString() })
      change(markKey, db.name, now.toISOString())
    } else if (seenAt !== undefined) {
      if (!(await db.get('meta', recordId))) recordLoss(db.name, seenAt)
      change(markKey, db.name, undefined)
    }
  } catch {
    // Reading the list reports what is wrong with the storage.
  }
}

/**
 * Called when the vault of a signed-in person has no keys: with its chats still there a sign-in restores the keys;
 * without them the chats are lost.
 */
export async function recordMissingVault(userId: string): Promise<void> {
  const name = vaultName(userId)
  if (read(markKey)[name] === undefined) return
  const db = await openDatabase(name)
  await recordChats(db, await db.count('channels'))
  db.close()
}

function recordLoss(name: string, seenAt: string): void {
  change(lossKey, name, seenAt)
  show()
}

/** Called before a vault's database is deleted: what the person removes is not a loss. */
export function forgetChats(userId: string): void {
  const name = vaultName(userId)
  change(markKey, name, undefined)
  change(lossKey, name, undefined)
  show()
}

/** `names`: the databases of the vaults. `since`: when chats were last seen in one of them. */
export type StorageLoss = { names: string[]; since: string; isOfAccount: boolean }

/** The loss to report: a signed-in person's own vault, or every vault of this browser for anybody else. */
export function useStorageLoss(userId: string | undefined): StorageLoss | undefined {
  const losses = useLosses((state) => state.losses)
  const names = Object.keys(losses).filter((name) => userId === undefined || name === vaultName(userId))
  const since = names
    .map((name) => losses[name] ?? '')
    .sort()
    .at(-1)
  return since === undefined ? undefined : { names, since, isOfAccount: names.some((name) => name !== product.slug) }
}

/** Called when the person has read the notice. */
export function dismissStorageLoss({ names }: StorageLoss): void {
  for (const name of names) change(lossKey, name, undefined)
  show()
}
