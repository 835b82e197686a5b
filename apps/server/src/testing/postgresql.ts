import pg from 'pg'

/** The PostgreSQL that tests may use. The project `embedded` sets the variable empty. */
export const postgresqlUrl = process.env.TEST_DATABASE_URL || undefined

export type TemporaryDatabase = { name: string; url: string; drop(): Promise<void> }

/**
 * A database of its own on the server of TEST_DATABASE_URL, so that workers and runs do not see each other: empty, or a
 * copy of another one.
 */
export async function createDatabase(template?: string): Promise<TemporaryDatabase> {
  if (!postgresqlUrl) throw new Error('TEST_DATABASE_URL is not set')
  const name = `${template ?? 'parley_test'}_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  // Only a machine that loses power could tell: tests kill programs, and each commit would wait for the disk.
  await onServer(`alter database ${name} set synchronous_commit = off`)
  const url = new URL(postgresqlUrl)
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    drop: async () => void (await onServer(`drop database if exists ${name} with (force)`)),
  }
}

/** Drops the copies of a database that nobody dropped. */
export async function dropCopies(template: string): Promise<void> {
  const { rows } = await onServer<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, '${template}_')`,
  )
  for (const { datname } of rows) await onServer(`drop database if exists ${datname} with (force)`)
}

async function onServer<R extends pg.QueryResultRow>(statement: string): Promise<pg.QueryResult<R>> {
  const client = new pg.Client({ connectionString: postgresqlUrl })
  await client.connect()
  return client.query<R>(statement).finally(() => client.end())
}
