import { randomUUID } from 'node:crypto'
import type { ServerFrame } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { textOf, Visitor } from '../../testing/chat-client'
import { redisUrl } from '../../testing/chat-setups'
import { aTalker, tokenOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'
import { startGatewayStandIn } from '../../testing/gateway-stand-in'
import { outputUntil, runSource } from '../../testing/run-source'
import { openPostgresql } from '../../testing/test-databases'

describe.skipIf(!redisUrl || !databases.includes('postgresql'))(
  'a node that is killed in mid-answer (needs TEST_DATABASE_URL and TEST_REDIS_URL)',
  () => {
    it('leaves what it had stored about once a second, marked by another node when its lease is over', async () => {
      const gateway = await startGatewayStandIn()
      onTestFinished(() => gateway.close())
      const database = await openPostgresql()
      onTestFinished(async () => {
        await database.database.close()
        await database.remove()
      })
      const env = {
        AUTH_SECRET: `a secret of both nodes ${randomUUID()}`,
        REDIS_URL: redisUrl ?? '',
        LLM_BASE_URL: gateway.url,
        LLM_API_KEY: 'key',
        DATA_DIR: '/tmp',
      }
      const child = runSource('testing/chat-node.ts', [], { ...env, DATABASE_URL: database.url, PORT: '0' })
      const url = (await outputUntil(child, /http\S+\n/)).trim()
      let ahead = 0
      const survivor = await buildTestApp({
        database: database.database,
        keepTables: true,
        env,
        now: () => Date.now() + ahead,
      })
      const { person, ask, stored } = await aTalker(survivor)
      gateway.next({ text: words(5_000), tokensPerSecond: 100 })
      const there = await new Visitor(tokenOf(person)).connect({ url })
      const id = ask('Will you survive?', {}, there)
      await there.until(
        (frame): frame is ServerFrame => frame.event === 'content' && textOf(there.frames).includes('word300 '),
      )
      child.kill('SIGKILL')
      ahead = serverLimits.chat.leaseMs
      await expect.poll(async () => (await stored())[0]?.status).toBe('interrupted')
      const [message] = await stored()
      const text = message?.chat_response.content ?? ''
      expect(message).toMatchObject({ mId: id, error: { code: 'chat.interrupted' } })
      expect(words(5_000).startsWith(text)).toBe(true)
      expect(textOf(there.frames).length - text.length).toBeLessThan(2 * serverLimits.cloud.partialSaveLength)
      expect(gateway.requests).toHaveLength(1)
    })
  },
)
