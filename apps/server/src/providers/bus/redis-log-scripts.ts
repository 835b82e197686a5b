import { createHash } from 'node:crypto'
import type { RedisClient } from './redis-client'

/** A Lua script: Redis runs it whole, between the commands of all others. */
type Script = { source: string; sha1: string }

const script = (source: string): Script => ({ source, sha1: createHash('sha1').update(source).digest('hex') })

async function run(client: RedisClient, { source, sha1 }: Script, key: string, args: string[]): Promise<unknown> {
  const options = { keys: [key], arguments: args }
  try {
    return await client.evalSha(sha1, options)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(source, options)
    throw error
  }
}

// The last entry of the stream as {id, field}; both are empty where there is none.
const lastEntry = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id, field = '', ''
if last then id, field = last[1], last[2][1] end`

// A MULTI would go on after a refused entry and write the rest behind another node's end, so the whole batch hangs on
// one comparison.
const writeScript = script(`${lastEntry}
if id ~= ARGV[1] then return {id, field} end
for i = 6, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'd', ARGV[i + 1]) end
if ARGV[4] ~= '' then redis.call('XTRIM', KEYS[1], 'MINID', ARGV[4]) end
if ARGV[5] ~= '' then redis.call('XADD', KEYS[1], ARGV[5], 'end', '1') end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], '')
return {}`)

// Where there is no stream the mark is all there is: a writer that wakes up later does not begin it anew.
const sealScript = script(`${lastEntry}
if field == 'end' or field == 'sealed' then return end
redis.call('XADD', KEYS[1], (string.match(id, '^%d+') or '0') .. ARGV[1], 'sealed', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[2])`)

export type Batch = {
  /** The id of the entry that the writer takes for the last one; empty where there is none. */
  expectedId: string
  entries: { id: string; data: string }[]
  /** Entries before this id are dropped. */
  minId?: string | undefined
  /** The id of the mark behind the last entry. */
  endId?: string | undefined
  ttlMs: number
  /** Readers are woken there. */
  channel: string
}

/** What stood at the end instead of `expectedId`. */
export type Conflict = { lastId: string; isClosed: boolean }

/** Writes all of a batch, or nothing where something else stands at the end of the stream: then it answers what. */
export async function writeBatch(client: RedisClient, key: string, batch: Batch): Promise<Conflict | undefined> {
  const { expectedId, entries, minId = '', endId = '', ttlMs, channel } = batch
  const args = [expectedId, String(ttlMs), channel, minId, endId, ...entries.flatMap(({ id, data }) => [id, data])]
  const answer = await run(client, writeScript, key, args)
  if (!Array.isArray(answer) || answer.length === 0) return undefined
  const [lastId, field] = answer.map(String)
  return { lastId: lastId ?? '', isClosed: field === 'end' || field === 'sealed' }
}

/**
 * Puts a mark behind the last entry, which keeps its writer out. `suffix`: of the mark's id. Without effect on a stream
 * that is closed.
 */
export async function sealStream(
  client: RedisClient,
  key: string,
  { suffix, ttlMs }: { suffix: string; ttlMs: number },
): Promise<void> {
  await run(client, sealScript, key, [suffix, String(ttlMs)])
}
