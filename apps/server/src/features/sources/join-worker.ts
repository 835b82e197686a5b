// The thread in which uploads become whole: it opens their parts, hashes the content and seals it as one file, so that
// the event loop of the server is not busy with it.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { AppError, type ErrorCode } from '@parley/contract/errors'
import { loadFileStore } from '../../providers/files/create-file-store'
import { DamagedFileError, opened, sealed, unpaced } from '../../providers/files/file-cipher'
import { MissingFileError } from '../../providers/files/file-store'
import { freed } from '../../providers/files/owned-memory'
import { HashedBytes } from './counted-bytes'

/** `parts` and `to` are keys in the store. */
export type JoinOrder = { accountKey: Uint8Array; parts: string[]; to: string; maxBytes: number }
/** `port` receives the one answer. */
export type JoinRequest = { order: JoinOrder; port: MessagePort }
export type JoinedFile = { bytes: number; sha256: string }
/** An error loses its class between threads. `code`: of an AppError. */
export type JoinFailure = { code: ErrorCode | undefined; reason: string }
export type JoinAnswer = { joined: JoinedFile } | { failure: JoinFailure }

/**
 * At 10 others keep it from the processor while it holds a lock of the process (memory, the queue of file calls), and
 * the main thread waits for that: up to 0.1 s on a busy machine.
 */
const niceness = 5

async function join({ accountKey, parts, to, maxBytes }: JoinOrder): Promise<JoinedFile> {
  const key = Buffer.from(accountKey)
  const hashed = new HashedBytes(maxBytes, 'source.too-large')
  await store.put(to, sealed(key, to, hashed.of(contentOf(parts, key)), unpaced))
  return { bytes: hashed.bytes, sha256: hashed.sha256 }
}

/** Throws source.upload-damaged for a part that is lost or was changed: the same file has to be sent anew. */
async function* contentOf(parts: readonly string[], accountKey: Buffer): AsyncGenerator<Buffer> {
  for (const part of parts) {
    try {
      yield* partOf(part, accountKey)
    } catch (error) {
      const isLost = error instanceof MissingFileError || error instanceof DamagedFileError
      throw isLost ? new AppError('source.upload-damaged', { cause: error }) : error
    }
  }
}

async function* partOf(part: string, accountKey: Buffer): AsyncGenerator<Buffer> {
  const stored = await store.get(part)
  try {
    yield* freed(opened(accountKey, part, freed(stored), unpaced))
  } finally {
    stored.destroy()
  }
}

/** With the causes, of which the first names the call that failed. */
function failureOf(error: unknown): JoinFailure {
  const messages: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) messages.push(at.message)
  return { code: error instanceof AppError ? error.code : undefined, reason: messages.join(': ') }
}

/** Chats go first. Only Linux has a priority for each thread. */
function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Without it the thread is one among equals.
  }
}

yieldToOthers()
const store = await loadFileStore(workerData)
parentPort?.on('message', ({ order, port }: JoinRequest) => {
  const answer = (message: JoinAnswer): void => port.postMessage(message)
  join(order).then(
    (joined) => answer({ joined }),
    (error: unknown) => answer({ failure: failureOf(error) }),
  )
})
