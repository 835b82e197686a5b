// The browser may evict this site's databases and keep its local storage. A mark there says that chats were on this device; a record in the database itself says
// that it is the one they were in. A mark without that record means that the chats are gone, and not that there were none.
import { product } from '@parley/contract/product'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { type LocalDatabase, openDatabase, vaultName } from '../local/database'

const markKey = 'chats-here'
const lossKey = 'chats-lost'
const recordId = 'chats-here'
const markEveryMs = 60 * 60_000

/** By the name of a vault's database: when chats were last seen in it, ISO 8601 UTC. */
const Times = z.record(z.string(), z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))))
type Times = z.infer<typeof Times>

function read(key: string): Times {
  try {
    return z.safeParse(Times, JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch {
    // Storage is denied or broken: nothing is known of before.
    return {}
  }
}

/** Another tab may have changed other names meanwhile: each change begins with what stands there now. */
function change(key: string, name: string, at: string | undefined): void {
  const { [name]: _before, ...others } = read(key)
  const next = at === undefined ? others : { ...others, [name]: at }
  try {
    if (Object.keys(next).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without it a loss cannot be told later; nothing else depends on it.
  }
}

const useLosses = create<{ losses: Times }>(() => ({ losses: read(lossKey) }))
const show = (): void => useLosses.setState({ losses: read(lossKey) })

globalThis.addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === null || key === lossKey) show()
})

/**
 * Called with each reading of a vault's list. Marks at most once an hour that chats are here; where there are none, tells whether the person removed them or
 * the browser did. Never throws.
 */
export async function noteChats(db: LocalDatabase, count: number, now: Date = new Date()): Promise<void> {
  const seenAt = read(markKey)[db.name]
  try {
    if (count > 0) {
      if (seenAt !== undefined && Math.abs(now.getTime() - Date.parse(seenAt)) < markEveryMs) return
      // Before the mark: a mark alone would mean a loss.
      await db.put('meta', { id: recordId, value: now.toISOString() })
      change(markKey, db.name, now.toISOString())
    } else if (seenAt !== undefined) {
      if (!(await db.get('meta', recordId))) noteLoss(db.name, seenAt)
      change(markKey, db.name, undefined)
    }
  } catch {
    // The list itself says what is wrong with the storage.
  }
}

/** The vault of a signed-in person cannot be opened: with its chats in it that is a lost key, which a sign-in brings back; without them it is a loss. */
export async function noteVaultGone(userId: string): Promise<void> {
  const name = vaultName(userId)
  if (read(markKey)[name] === undefined) return
  const db = await openDatabase(name)
  await noteChats(db, await db.count('channels'))
  db.close()
}

function noteLoss(name: string, seenAt: string): void {
  change(lossKey, name, seenAt)
  show()
}

/** For who removes a vault: what the person removes is not lost. Called before its database is deleted. */
export function forgetChats(userId: string): void {
  const name = vaultName(userId)
  change(markKey, name, undefined)
  change(lossKey, name, undefined)
  show()
}

/** `names`: of the vaults. `since`: when chats were last seen in one of them. */
export type StorageLoss = { names: string[]; since: string; isOfAccount: boolean }

/** What this person is to be told: whoever is signed in of the own vault, anybody else of every vault of this browser. */
export function useStorageLoss(userId: string | undefined): StorageLoss | undefined {
  const losses = useLosses((state) => state.losses)
  const names = Object.keys(losses).filter((name) => userId === undefined || name === vaultName(userId))
  const since = names
    .map((name) => losses[name] ?? '')
    .sort()
    .at(-1)
  return since === undefined ? undefined : { names, since, isOfAccount: names.some((name) => name !== product.slug) }
}

/** The person has read it. */
export function dismissStorageLoss({ names }: StorageLoss): void {
  for (const name of names) change(lossKey, name, undefined)
  show()
}
