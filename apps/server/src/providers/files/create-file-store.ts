import { join } from 'node:path'
import type { Egress } from '../egress'
import type { FileStore } from './file-store'
import { type FolderOptions, FolderStore } from './folder-store'
import type { S3Access } from './s3-signature'
import { S3Store } from './s3-store'

/** Can be sent to a thread. */
export type FileStoreConfig = {
  dataDir: string
  s3: (S3Access & { endpoint: string; bucket: string }) | undefined
}

type Options = FileStoreConfig & { egress: Egress; now: () => number }

/** A store that speaks S3 where one is configured, else a folder of DATA_DIR. */
export function createFileStore({ dataDir, s3, egress, now }: Options): FileStore {
  if (!s3) return folderIn(dataDir)
  return new S3Store({ ...s3, egress, spoolFolder: join(dataDir, 'files-on-their-way'), now })
}

/** The same store in a thread, which loads the library of requests, most of its code, only where it is needed. */
export async function loadFileStore(config: FileStoreConfig): Promise<FileStore> {
  if (!config.s3) return folderIn(config.dataDir, { isBlocking: true })
  const { createEgress } = await import('../egress')
  return createFileStore({ ...config, egress: createEgress(), now: Date.now })
}

const folderIn = (dataDir: string, options?: FolderOptions): FolderStore =>
  new FolderStore(join(dataDir, 'files'), options)
