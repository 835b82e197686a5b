import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'

/** No connection to the database could be had. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
}

/** Whether a failure means that the database cannot be reached, in contrast to a statement that it refused. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAwayError) return true
  if (!(error instanceof Error)) return false
  return (error instanceof DrizzleQueryError && isConnectionLost(error.cause)) || isDatabaseAway(error.cause)
}

/**
 * Whether no further statement can be sent over the connection that answered so: 08 is a lost connection, 57P a server
 * that stops or starts, 25P03 a session that it ended, and 25006 a server that a failover has made read-only. Of what
 * fails without an answer of the server the driver tells no code.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return /^(?:08...|57P0[1235]|25P03|25006)$/.test(error.code ?? '')
  return (
    lostInWords.test(error.message) ||
    ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code))
  )
}

const lostInWords =
  /^(?:Connection terminated|Query read timeout$|Client (?:has encountered a connection error|was closed) and is not queryable$)/
