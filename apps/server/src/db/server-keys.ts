import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { openWith, type Secrets, sealWith } from '../secrets'
import type { Db } from './client'
import { serverKeys } from './schema/server-keys'

type Options = { secrets: Secrets; name: string; makeFirst: () => Buffer; log: FastifyBaseLogger }

/**
 * A key that outlives AUTH_SECRET. It lies in the database, sealed once under each secret: whoever has the database
 * alone does not have it, and a node that knows any of the secrets opens it. `makeFirst` gives the key of a new server.
 */
export function loadServerKey(db: Db, { secrets, name, makeFirst, log }: Options): Promise<Buffer> {
  const ways = secrets
    .keys('server-key')
    .map((key) => ({ key, sealedBy: createHash('sha256').update(key).digest('base64url').slice(0, 16) }))
  return db.transaction(async (tx) => {
    // Of two nodes that start first together the second one finds the key of the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`parley:server-key:${name}`}))`)
    const rows = await tx.select().from(serverKeys).where(eq(serverKeys.name, name))
    const opened = ways.flatMap(({ key, sealedBy }) => {
      const row = rows.find((each) => each.sealedBy === sealedBy)
      return row ? [Buffer.from(openWith(key, row.sealed, name), 'base64')] : []
    })
    if (opened.length === 0 && rows.length > 0)
      log.warn(
        { key: name },
        'AUTH_SECRET was replaced without the old one behind it: a key is made anew, and what it marked is not recognised any more',
      )
    const serverKey = opened[0] ?? makeFirst()
    for (const { key, sealedBy } of ways)
      if (!rows.some((each) => each.sealedBy === sealedBy))
        await tx
          .insert(serverKeys)
          .values({ name, sealedBy, sealed: sealWith(key, serverKey.toString('base64'), name) })
    return serverKey
  })
}
