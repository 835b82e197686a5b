import { join } from 'node:path'
import type { Egress } from '../egress'
import type { FileStore } from './file-store'
import { FolderStore } from './folder-store'
import type { S3Access } from './s3-signature'
import { S3Store } from './s3-store'

type Options = {
  dataDir: string
  s3: (S3Access & { endpoint: string; bucket: string }) | undefined
  egress: Egress
  now: () => number
}

/** A store that speaks S3 where one is configured, else a folder of DATA_DIR. */
export function createFileStore({ dataDir, s3, egress, now }: Options): FileStore {
  if (!s3) return new FolderStore(join(dataDir, 'files'))
  return new S3Store({ ...s3, egress, spoolFolder: join(dataDir, 'files-on-their-way'), now })
}
