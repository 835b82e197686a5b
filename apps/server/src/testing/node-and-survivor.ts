import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { onTestFinished } from 'vitest'
import { buildTestApp } from './build-test-app'
import { Visitor } from './chat-client'
import { redisUrl } from './chat-setups'
import { startGatewayStandIn } from './gateway-stand-in'
import { aPerson } from './person'
import { outputUntil, runSource } from './run-source'
import { openPostgresql } from './test-databases'

/**
 * A node in a process of its own and one that takes over from it, which may be told that the lease is over. Both log
 * all there is to log, and have one folder for files and for what is temporary.
 */
export async function nodeAndSurvivor() {
  const gateway = await startGatewayStandIn()
  onTestFinished(() => gateway.close())
  const database = await openPostgresql()
  const folder = mkdtempSync(join(tmpdir(), 'parley-nodes-'))
  onTestFinished(async () => {
    await database.database.close()
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const env = {
    AUTH_SECRET: `a secret that both nodes share ${randomUUID()}`,
    REDIS_URL: redisUrl ?? '',
    LLM_BASE_URL: gateway.url,
    LLM_API_KEY: 'key',
    LOG_LEVEL: 'debug',
    DATA_DIR: folder,
  }
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const ofNode = { ...env, DATABASE_URL: database.url, PORT: '0', TMPDIR: temporary }
  const child = runSource('testing/chat-node.ts', [], ofNode)
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(String(chunk)))
  const [url = ''] = /^http:\S+$/m.exec(await outputUntil(child, /^http:\S+\n/m)) ?? []
  let ahead = 0
  const survivor = await buildTestApp({
    database: database.database,
    keepTables: true,
    env,
    now: () => Date.now() + ahead,
  })
  const person = await aPerson(survivor, 'ana@example.org')
  const channelId = ((await person.post('/api/channel', {})).body as { data: { id: string } }).data.id
  const stored = async (): Promise<Message | undefined> =>
    ((await person.send('GET', `/api/chat/documents/0/100/${channelId}`)).body as { content: Message[] }).content[0]
  const connect = (place: { url: string }, frames = 'reasoning') =>
    new Visitor(person.tokens?.access_token).connect(place, { frames })
  return {
    ...{ gateway, child, node: { url }, survivor, person, connect, channelId, stored, folder },
    /** Of both nodes. */
    logs: () => printed.join('') + survivor.logs(),
    endLease: () => (ahead = 2 * serverLimits.chat.leaseMs),
  }
}
