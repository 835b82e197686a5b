import type { Page } from '@playwright/test'

export type VaultOnDisk = { level: 'sealed' | 'locked'; isMoving: boolean; messages: number; orphans: number }

/** The vault as the disk has it: how many records there are, and how many of them no key of the vault belongs to. */
export async function vaultOnDisk(page: Page): Promise<VaultOnDisk> {
  return page.evaluate(async () => {
    const wait = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const db = await wait(indexedDB.open(`parley-${id}`))
    try {
      const tables = ['channels', 'exchanges', 'runs', 'drafts', 'outbox'] as const
      const tx = db.transaction([...tables, 'meta'])
      const [meta, ...stored] = await Promise.all([
        wait(tx.objectStore('meta').get('vault')),
        ...tables.map((table) => wait<{ kid: string }[]>(tx.objectStore(table).getAll())),
      ])
      const { level, keys, movingTo } = JSON.parse(meta.value)
      const known = new Set(keys.map(({ kid }: { kid: string }) => kid))
      return {
        level,
        isMoving: movingTo !== undefined,
        messages: stored[1]?.length ?? 0,
        orphans: stored.flat().filter(({ kid }) => !known.has(kid)).length,
      }
    } finally {
      db.close()
    }
  })
}
