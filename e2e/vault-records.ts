import type { Page } from '@playwright/test'

/** How many records the vaults of this browser have together. */
export const recordsIn = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(async () => {
    const wait = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const counts = { channels: 0, chats: 0, exchanges: 0, runs: 0, drafts: 0, outbox: 0, summaries: 0 }
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await wait(indexedDB.open(name))
      for (const table of ['channels', 'chats', 'exchanges', 'runs', 'drafts', 'outbox', 'summaries'] as const)
        if (db.objectStoreNames.contains(table))
          counts[table] += await wait(db.transaction(table).objectStore(table).count())
      db.close()
    }
    return counts
  })

export const nothing = { channels: 0, chats: 0, exchanges: 0, runs: 0, drafts: 0, outbox: 0, summaries: 0 }
