import { onTestFinished } from 'vitest'
import { buildTestApp, databases, type TestApp } from './build-test-app'
import { type GatewayStandIn, startGatewayStandIn } from './gateway-stand-in'

export const redisUrl = process.env.TEST_REDIS_URL

/** Every kind of database with every kind of bus: `describe.each(setups)('… on $kind and $bus', (setup) => …)`. */
export const setups = databases.flatMap((kind) => [{ kind, bus: 'memory' as const }, ...(redisUrl ? [{ kind, bus: 'redis' as const }] : [])])

export type Setup = (typeof setups)[number]
type AppOptions = Parameters<typeof buildTestApp>[0]

export type ChatApp = TestApp & { gateway: GatewayStandIn }

/** The app with a gateway stand-in behind it. */
export async function buildChatApp({ kind, bus }: Setup, options: AppOptions = {}): Promise<ChatApp> {
  const gateway = await startGatewayStandIn()
  onTestFinished(() => gateway.close())
  const env = { LLM_BASE_URL: gateway.url, LLM_API_KEY: 'sk-canary-key', ...(bus === 'redis' && redisUrl ? { REDIS_URL: redisUrl } : {}), ...options.env }
  return { ...(await buildTestApp({ kind, ...options, env })), gateway }
}
