import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParleyServer } from './parley-server'

/** A database as the first start makes it, once for all journeys: making it takes longer than most of them. */
export default async function makeTemplate(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-template-'))
  const server = await ParleyServer.start({}, { isFresh: true })
  await server.stop()
  server.keepDatabase(folder)
  await server.remove()
  process.env.E2E_DATABASE = join(folder, 'db')
  return () => rmSync(folder, { recursive: true, force: true })
}
