import { openDatabase } from '../local/database'
import type { StoredKey } from '../local/key-database'
import { storageError } from '../local/storage-error'
import { KeyVault } from '../local/vault'
import { type Found, MessageIndex } from './message-index'

/** What the page says to the worker: first of all which records to read and with which keys. */
export type ToWorker =
  | { kind: 'open'; database: string; keys: readonly StoredKey[]; userId: string | undefined }
  | { kind: 'search'; id: number; query: string; limit: number }
  | { kind: 'changed'; channelId: string | undefined }

/** Every answer but the last of a search has the progress of what is still being read. */
export type FromWorker = { id: number; found: Found; progress?: { done: number; total: number } } | { id: number; failure: string }

/** A search that has to wait for the index shows what was found so far this often. */
const partialMs = 300

/** Answers searches, the newest one alone, from an index that it makes with the first one. */
export function serveSearch(reply: (message: FromWorker) => void): (message: ToWorker) => void {
  let index: Promise<MessageIndex> | undefined
  let newest = 0
  // One at a time: two would read the same.
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
        // The search that waits for it tells.
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
