import { join } from 'node:path'
import { FolderStore } from '../providers/files/folder-store'
import type { TestApp } from './build-test-app'

export const storeOf = ({ dataDir }: TestApp): FolderStore => new FolderStore(join(dataDir, 'files'))

/** The keys of all files in the store of an app, what an interrupted write left included. */
export async function filesIn(app: TestApp): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storeOf(app).list('')) keys.push(key)
  return keys.sort()
}
