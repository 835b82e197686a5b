import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { opened, sealed } from '../../providers/files/file-cipher'
import type { FileStore } from '../../providers/files/file-store'
import { openWith, sealWith } from '../../secrets'
import { ensureFileKey } from './file-key-store'

type Deps = {
  db: Db
  store: FileStore
  /** Outlives AUTH_SECRET: server-keys.ts. */
  serverKey: Buffer
}

/** `folder` is the id of the source or upload that it belongs to. */
export type FilePlace = { ownerId: string; folder: string; name: string }

const keyOf = ({ ownerId, folder, name }: FilePlace): string => `${ownerId}/${folder}/${name}`

/**
 * Files of accounts, each sealed with the key of its account, which the database keeps: without its row whatever is left
 * in the store is noise. Failures of the store are thrown as source.store.
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
    const content = Readable.from(failingAsStore(opened(accountKey, key, stored)), { objectMode: false })
    // Also where nobody has begun to read it.
    return content.once('close', () => stored.destroy())
  }

  async remove(place: FilePlace): Promise<void> {
    await storing(() => this.deps.store.remove(keyOf(place)))
  }

  private async accountKey(ownerId: string): Promise<Buffer> {
    const { db, serverKey } = this.deps
    const place = `file-key|${ownerId}`
    const make = (): string => sealWith(serverKey, randomBytes(32).toString('base64'), place)
    const sealedKey = await ensureFileKey(db, ownerId, make)
    return storing(async () => Buffer.from(openWith(serverKey, sealedKey, place), 'base64'))
  }
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
