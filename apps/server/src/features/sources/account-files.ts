import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import {
  chunksBytesOf,
  DamagedFileError,
  opened,
  sealed,
  type UnlockedFile,
  unlocked,
} from '../../providers/files/file-cipher'
import type { FileStore } from '../../providers/files/file-store'
import { freed } from '../../providers/files/owned-memory'
import { openWith, sealWith } from '../../secrets'
import type { FileJoiner } from './file-joiner'
import { ensureFileKey } from './file-key-store'
import type { JoinedFile } from './join-worker'

type Deps = {
  db: Db
  store: FileStore
  /** Of files in the same store. */
  joiner: FileJoiner
  /** Outlives AUTH_SECRET: server-keys.ts. */
  serverKey: Buffer
}

/** `folder` is the id of the source or upload that it belongs to. */
export type FilePlace = { ownerId: string; folder: string; name: string }
type Join = { parts: readonly FilePlace[]; to: FilePlace; maxBytes: number }

const keyOf = ({ ownerId, folder, name }: FilePlace): string => `${ownerId}/${folder}/${name}`

/**
 * Files of accounts, each sealed with the key of its account, which the database keeps: without its row whatever is
 * left in the store is noise. Failures of the store are thrown as source.store.
 */
export class AccountFiles {
  constructor(private readonly deps: Deps) {}

  /** Whole or not at all. Throws what `content` throws. */
  async write(place: FilePlace, content: AsyncIterable<Buffer>): Promise<void> {
    const key = keyOf(place)
    const accountKey = await this.accountKey(place.ownerId)
    await storing(() => this.deps.store.put(key, sealed(accountKey, key, content)))
  }

  /** Makes the account's key where there is none yet. */
  async prepare(ownerId: string): Promise<void> {
    await this.accountKey(ownerId)
  }

  /** A failure ends the stream with an error. */
  async read(place: FilePlace): Promise<Readable> {
    const key = keyOf(place)
    const accountKey = await this.accountKey(place.ownerId)
    const stored = await storing(() => this.deps.store.get(key))
    const content = Readable.from(failingAsStore(opened(accountKey, key, freed(stored))), { objectMode: false })
    // Also where nobody has begun to read it.
    return content.once('close', () => stored.destroy())
  }

  /**
   * As it is stored, with what opens it. `bytes`: of its content. Each piece is good until the next is asked for; a
   * failure ends them with an error. Whoever has it closes it.
   */
  async readSealed(place: FilePlace, bytes: number): Promise<UnlockedFile & { close: () => void }> {
    const key = keyOf(place)
    const accountKey = await this.accountKey(place.ownerId)
    return storing(async () => {
      const stored = await this.deps.store.get(key)
      const { fileKey, chunks } = await unlocked(accountKey, key, stored).catch((error: unknown) => {
        stored.destroy()
        throw error
      })
      const whole = freed(failingAsStore(wholeOf(chunks, chunksBytesOf(bytes))))
      return { fileKey, chunks: whole, close: () => stored.destroy() }
    })
  }

  /** Makes one file of several of the same account, off the main thread. Throws as FileJoiner.join. */
  async join({ parts, to, maxBytes }: Join): Promise<JoinedFile> {
    const accountKey = await this.accountKey(to.ownerId)
    // A copy: what else is in the memory of a Buffer would go to the thread along with it.
    const order = { accountKey: new Uint8Array(accountKey), parts: parts.map(keyOf), to: keyOf(to), maxBytes }
    return storing(() => this.deps.joiner.join(order))
  }

  async remove(place: FilePlace): Promise<void> {
    await storing(() => this.deps.store.remove(keyOf(place)))
  }

  /** With what an interrupted write left in it. */
  async removeFolder({ ownerId, folder }: Omit<FilePlace, 'name'>): Promise<void> {
    const { store } = this.deps
    await storing(async () => {
      for await (const { key } of store.list(`${ownerId}/${folder}/`)) await store.remove(key)
    })
  }

  private async accountKey(ownerId: string): Promise<Buffer> {
    const { db, serverKey } = this.deps
    const place = `file-key|${ownerId}`
    const make = (): string => sealWith(serverKey, randomBytes(32).toString('base64'), place)
    const sealedKey = await ensureFileKey(db, ownerId, make)
    return storing(async () => Buffer.from(openWith(serverKey, sealedKey, place), 'base64'))
  }
}

/** Throws DamagedFileError where there is less or more. */
async function* wholeOf(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let passed = 0
  for await (const piece of pieces) {
    passed += piece.length
    if (passed > bytes) break
    yield piece
  }
  if (passed !== bytes) throw new DamagedFileError('another length')
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStore(error)
  }
}

async function* failingAsStore(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw asStore(error)
  }
}

const asStore = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('source.store', { cause: error })
