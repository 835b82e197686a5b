import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { DatabaseAwayError, isConnectionLost } from '../plugins/database-away'

type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>

/**
 * Connections of which each may break at any moment: that costs the statement that is under way, never the process, and
 * the pool opens another one.
 */
export class DatabasePool extends pg.Pool {
  constructor(options: pg.PoolConfig, log: FastifyBaseLogger) {
    super({ application_name: 'parley', connectionTimeoutMillis: 10_000, keepAlive: true, ...options })
    this.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
    this.on('connect', (client) => {
      // The pool listens only while a connection is idle. In use, the statement that fails tells of the loss; without a
      // listener it would end the process.
      client.on('error', () => undefined)
      endWhenLost(client)
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(done: (...connected: Connected) => void): void
  override connect(done?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined {
    if (done) {
      super.connect((error, client, release) => done(error && awayError(error), client, release))
      return undefined
    }
    return super.connect().catch((error: unknown) => {
      throw awayError(error)
    })
  }
}

function awayError(cause: unknown): DatabaseAwayError {
  return new DatabaseAwayError('The database cannot be reached', { cause })
}

/**
 * Ends a connection of which a statement got no answer or an answer that no other one will differ from. Drizzle (0.45)
 * would give it back to the pool as a good one, where the statement may still be running, or never give it back at all
 * when it fails at `begin`, so that an outage would use up the pool.
 */
function endWhenLost(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const watched = (...args: [pg.QueryConfig | string, ...unknown[]]): unknown => {
    const result: unknown = Reflect.apply(query, client, args)
    if (!(result instanceof Promise)) return result
    const [statement] = args
    const text = typeof statement === 'string' ? statement : statement.text
    result.catch((error: unknown) => {
      if (text.startsWith('begin')) client.release(true)
      else if (isConnectionLost(error)) void end(client)
    })
    return result
  }
  client.query = watched as typeof client.query
}

/** Of the driver's client, which the pool's type hides. What runs over it is cut. */
function end(client: pg.PoolClient): Promise<void> {
  return (client as unknown as pg.Client).end().catch(() => undefined)
}
