import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/client'

/** Every row of every table, in JSON. */
export async function everythingIn(db: Db): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const tables: string[] = []
  for (const { name } of rows)
    tables.push(JSON.stringify((await db.execute(sql.raw(`select to_jsonb(t)::text as row from ${name} t`))).rows))
  return tables.join('\n')
}

/** The bytes of every file below a folder, with their names, as Latin-1. */
export function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const path = join(folder, name)
      return statSync(path).isFile() ? `${name}\n${readFileSync(path, 'latin1')}` : name
    })
    .join('\n')
}

/** What a Redis holds under the product's names, whatever its type. */
export async function everythingInRedis(url: string): Promise<string> {
  const { createClient } = await import('redis')
  const redis = await createClient({ url }).connect()
  try {
    const kept: string[] = []
    for await (const keys of redis.scanIterator({ MATCH: 'parley:*', COUNT: 1_000 }))
      for (const key of keys) {
        const type = await redis.type(key)
        if (type === 'stream') kept.push(key, JSON.stringify(await redis.xRange(key, '-', '+')))
        else if (type === 'string') kept.push(key, (await redis.get(key)) ?? '')
        else if (type === 'hash') kept.push(key, JSON.stringify(await redis.hGetAll(key)))
        else if (type !== 'none') throw new Error(`${key} is a ${type}, which nobody looks into`)
      }
    return kept.join('\n')
  } finally {
    redis.destroy()
  }
}
