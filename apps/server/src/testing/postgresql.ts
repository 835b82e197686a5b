import pg from 'pg'

/** The PostgreSQL that tests may use: TEST_DATABASE_URL. */
export const postgresqlUrl = process.env.TEST_DATABASE_URL

export type TemporaryDatabase = { name: string; url: string; drop(): Promise<void> }

/** A database of its own on the server of TEST_DATABASE_URL, so that workers and runs do not see each other: empty, or a copy of another one. */
export async function createDatabase(template?: string): Promise<TemporaryDatabase> {
  if (!postgresqlUrl) throw new Error('TEST_DATABASE_URL is not set')
  const name = `parley_test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`
  await onServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const url = new URL(postgresqlUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresqlUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
