import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

type Statement = { text: string; isInTransaction: boolean }

/** A database that tells which statements were sent to it, and how many transactions are open. */
export function recordedDatabase(url: string) {
  const statements: Statement[] = []
  const inTransaction = new Set<pg.PoolClient>()
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...given: unknown[]) => unknown
    const query = (...given: unknown[]): unknown => {
      const [statement] = given
      const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text
      if (text.startsWith('begin')) inTransaction.add(client)
      statements.push({ text, isInTransaction: inTransaction.has(client) })
      if (text.startsWith('commit') || text === 'rollback') inTransaction.delete(client)
      return send(...given)
    }
    Object.assign(client, { query })
  })
  return { db: drizzle(pool), statements, openTransactions: () => inTransaction.size, end: () => pool.end() }
}
