import { randomUUID } from 'node:crypto'
import { createReadStream, readSync, writeSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { checkKey, type FileStore, FileStoreError, MissingFileError, type StoredFile } from './file-store'

/** Each call of the file system costs more than what it reads. */
const readBytes = 256 * 1024

/**
 * `isBlocking`: content is read and written without the pool of threads, for a thread whose event loop nobody waits
 * for. The pool would do it at the priority of the whole process.
 */
export type FolderOptions = { isBlocking?: boolean }

/** Files in a folder. One that is there is there whole, and survives a loss of power. */
export class FolderStore implements FileStore {
  constructor(
    private readonly root: string,
    private readonly options: FolderOptions = {},
  ) {}

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.root, checkKey(key))
    const unfinished = `${path}.${randomUUID()}.unfinished`
    const file = await storing(() => openNew(unfinished))
    try {
      try {
        for await (const chunk of content) await storing(() => this.write(file, chunk))
        await storing(() => file.sync())
      } finally {
        await file.close()
      }
      await storing(() => rename(unfinished, path))
      // Otherwise a loss of power may forget its name.
      await storing(() => syncFolder(dirname(path)))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  async get(key: string): Promise<Readable> {
    const path = join(this.root, checkKey(key))
    const file = await storing(() => open(path, 'r').catch((error: unknown) => this.tellMissing(error)))
    return this.options.isBlocking
      ? blockingStream(file)
      : createReadStream(path, { fd: file, highWaterMark: readBytes })
  }

  async remove(key: string): Promise<void> {
    const path = join(this.root, checkKey(key))
    await storing(() => rm(path, { force: true }))
    // Folders that are empty now; another file may just be put into one.
    for (let folder = dirname(path); folder !== this.root; folder = dirname(folder))
      if (!(await rmdir(folder).then(...isDone))) break
  }

  async *list(prefix: string): AsyncIterable<StoredFile> {
    yield* this.walk(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
  }

  private async write(file: FileHandle, chunk: Buffer): Promise<void> {
    if (!this.options.isBlocking) return file.writeFile(chunk)
    for (let from = 0; from < chunk.length; ) from += writeSync(file.fd, chunk, from)
  }

  /** A folder that is away itself, such as a disk that is not mounted, has lost nothing. */
  private async tellMissing(error: unknown): Promise<never> {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing && (await stat(this.root).then(...isDone)))
      throw new MissingFileError('the folder does not have the file', { cause: error })
    throw error
  }

  private async *walk(folder: string, prefix: string): AsyncIterable<StoredFile> {
    const entries = await readdir(join(this.root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const key = `${folder}${entry.name}`
      if (!key.startsWith(prefix) && !prefix.startsWith(`${key}/`)) continue
      if (entry.isDirectory()) {
        yield* this.walk(`${key}/`, prefix)
        continue
      }
      // Somebody may have removed it since.
      const found = await stat(join(this.root, key)).catch(() => undefined)
      if (found) yield { key, bytes: found.size, modifiedAt: found.mtimeMs }
    }
  }
}

function blockingStream(file: FileHandle): Readable {
  return new Readable({
    // One piece ahead.
    highWaterMark: 1,
    read() {
      try {
        const piece = Buffer.allocUnsafeSlow(readBytes)
        const bytes = readSync(file.fd, piece)
        this.push(bytes === 0 ? null : piece.subarray(0, bytes))
      } catch (error) {
        this.destroy(error as Error)
      }
    },
    destroy(error, done) {
      file.close().then(() => done(error), done)
    },
  })
}

const isDone = [() => true, () => false] as const

/** A `remove` beside it may take the folder away between the two calls. */
async function openNew(path: string): Promise<FileHandle> {
  for (let tried = 1; ; tried++) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (tried === 5 || !(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileStoreError) throw error
    throw new FileStoreError('the folder of files failed', { cause: error })
  }
}
