import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** A database whose only connection answers so many statements and is then gone, its open transaction with it. */
export function breakingAfter(url: string, statements: number) {
  let left = statements
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...given: unknown[]) => unknown
    const query = (...given: unknown[]): unknown => {
      if (left-- > 0) return send(...given)
      const broken = new Error('the connection broke')
      const answered = given.at(-1)
      if (typeof answered === 'function') return void process.nextTick(answered, broken)
      // Drizzle never gives a connection back whose `begin` fails.
      if (JSON.stringify(given[0]).includes('begin')) client.release(true)
      return Promise.reject(broken)
    }
    Object.assign(client, { query })
  })
  return { db: drizzle(pool), end: () => pool.end() }
}
