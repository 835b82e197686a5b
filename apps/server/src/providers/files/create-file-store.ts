import { join } from 'node:path'
import type { FileStore } from './file-store'
import { FolderStore } from './folder-store'

/** A folder of DATA_DIR. */
export function createFileStore({ dataDir }: { dataDir: string }): FileStore {
  return new FolderStore(join(dataDir, 'files'))
}
