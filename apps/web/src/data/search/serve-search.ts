import { openDatabase } from '../local/database'
import type { StoredKey } from '../local/key-database'
import { storageError } from '../local/storage-error'
import { KeyVault } from '../local/vault'
import { type IndexHits, MessageIndex } from './message-index'

/** Messages from the page to the worker; the first one names the database and the keys. */
export type ToWorker =
  | { kind: 'open'; database: string; keys: readonly StoredKey[]; userId: string | undefined }
  | { kind: 'search'; id: number; query: string; limit: number }
  | { kind: 'changed'; channelId: string | undefined }

/** Messages from the worker. Every answer but the last one of a search has the progress of the indexing. */
export type FromWorker =
  | { id: number; found: IndexHits; progress?: { done: number; total: number } }
  | { id: number; failure: string }

/** How often a search that waits for the index answers with the hits so far. */
const partialMs = 300

/** Answers only the newest search, from an index that the first one creates. */
export function serveSearch(reply: (message: FromWorker) => void): (message: ToWorker) => void {
  let index: Promise<MessageIndex> | undefined
  let newest = 0
  // One search at a time: two would index the same messages.
  let busy = Promise.resolve()

  async function search({ id, query, limit }: Extract<ToWorker, { kind: 'search' }>): Promise<void> {
    if (id !== newest || !index) return
    try {
      const opened = await index
      let repliedAt = performance.now()
      while (await opened.step()) {
        if (id !== newest) return
        if (performance.now() - repliedAt < partialMs) continue
        reply({ id, found: await opened.search(query, limit), progress: opened.progress })
        repliedAt = performance.now()
      }
      if (id === newest) reply({ id, found: await opened.search(query, limit) })
    } catch (error) {
      reply({ id, failure: storageError(error).code })
    }
  }

  return (message) => {
    switch (message.kind) {
      case 'open':
        index = open(message)
        // The waiting search reports the failure.
        index.catch(() => undefined)
        return
      case 'changed':
        index?.then((opened) => opened.changed(message.channelId)).catch(() => undefined)
        return
      case 'search':
        newest = message.id
        busy = busy.then(() => search(message))
    }
  }
}

async function open({ database, keys, userId }: Extract<ToWorker, { kind: 'open' }>): Promise<MessageIndex> {
  return new MessageIndex({ db: await openDatabase(database), vault: new KeyVault(keys), userId })
}
