import { join } from 'node:path'
import { embeddedTemplate } from '../apps/server/src/testing/embedded-template'
import { createDatabase, postgresqlUrl } from '../apps/server/src/testing/postgresql'
import { ParleyServer } from './parley-server'

/** Databases as the first start makes them, once for all journeys: making one takes longer than most of them. */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  process.env.E2E_DATABASE = join(await embeddedTemplate(), 'db')
  if (postgresqlUrl === undefined) return async () => undefined
  const { name, url, drop } = await createDatabase()
  const server = await ParleyServer.start({ DATABASE_URL: url }, 'fresh')
  await server.remove()
  process.env.E2E_TEMPLATE = name
  return drop
}
