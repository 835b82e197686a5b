import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, postgresqlUrl } from '../apps/server/src/testing/postgresql'
import { ParleyServer } from './parley-server'

/** Databases as the first start makes them, once for all journeys: making one takes longer than most of them. */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-template-'))
  const embedded = await ParleyServer.start({}, 'fresh')
  await embedded.stop()
  embedded.keepDatabase(folder)
  await embedded.remove()
  process.env.E2E_DATABASE = join(folder, 'db')

  const postgresql = postgresqlUrl === undefined ? undefined : await createDatabase()
  if (postgresql) {
    const server = await ParleyServer.start({ DATABASE_URL: postgresql.url }, 'fresh')
    await server.remove()
    process.env.E2E_TEMPLATE = postgresql.name
  }
  return async () => {
    await postgresql?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
