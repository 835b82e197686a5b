import { onTestFinished } from 'vitest'
import type { DatabaseKind } from '../db/client'
import { buildTestApp, type TestApp } from './build-test-app'
import { type GatewayStandIn, startGatewayStandIn } from './gateway-stand-in'
import { databaseKind } from './test-databases'

export const redisUrl = process.env.TEST_REDIS_URL

export type Setup = { kind: DatabaseKind; bus: 'memory' | 'redis' }

export const plainSetup: Setup = { kind: databaseKind, bus: 'memory' }

/** For titles: `describe.each(setups)('… on $kind and $bus', (setup) => …)`. */
export const setups: Setup[] = [plainSetup]

/**
 * Every kind of bus, for what is stored in it or goes through it: the log of a stream, and what nodes tell each other.
 */
export const busSetups: Setup[] = [plainSetup, ...(redisUrl ? [{ kind: databaseKind, bus: 'redis' as const }] : [])]
type AppOptions = Parameters<typeof buildTestApp>[0]

export type ChatApp = TestApp & { gateway: GatewayStandIn }

/** The app with a gateway stand-in behind it. */
export async function buildChatApp({ kind, bus }: Setup = plainSetup, options: AppOptions = {}): Promise<ChatApp> {
  const gateway = await startGatewayStandIn()
  onTestFinished(() => gateway.close())
  const env = {
    LLM_BASE_URL: gateway.url,
    LLM_API_KEY: 'sk-canary-key',
    ...(bus === 'redis' && redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...options.env,
  }
  return { ...(await buildTestApp({ kind, ...options, env })), gateway }
}
