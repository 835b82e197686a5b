import { describe, expect, it } from 'vitest'
import { readEnv } from './env'

describe('environment', () => {
  it('runs without any variable', () => {
    expect(readEnv({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      isDefaultPublicUrl: true,
      databaseUrl: undefined,
      rateLimitScale: 1,
      logLevel: 'info',
    })
    expect(readEnv({}).dataDir).toMatch(/[\\/]data$/)
  })

  it('takes an empty value as unset', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: ' ', LLM_API_KEY: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      llm: { apiKey: undefined },
    })
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'chat.example.org'],
    ['PUBLIC_URL', 'https://example.org/chat'],
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_POOL_SIZE', 'many'],
    ['REDIS_URL', 'localhost:6379'],
    ['AUTH_SECRET', 'too-short-secret'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.0/64'],
    ['ANON_DAILY_MESSAGES', '-1'],
    ['RATE_LIMIT_SCALE', 'off'],
    ['LLM_BASE_URL', 'ftp://models'],
    ['LOG_LEVEL', 'loud'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['SOCIAL_DISCORD_URL', 'javascript:alert(1)'],
    ['MAINTENANCE', 'perhaps'],
  ])('says in one line what is wrong with %s, without repeating %j', (name, value) => {
    const say = (): string => {
      try {
        readEnv({ AUTH_SECRET: 'a'.repeat(32), [name]: value })
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
      return ''
    }
    expect(say()).toMatch(new RegExp(`^${name} must .+$`))
    expect(say().split('\n')).toHaveLength(1)
    expect(say()).not.toContain(value)
  })

  it('names every wrong variable at once', () => {
    expect(() => readEnv({ PORT: 'x', LOG_LEVEL: 'x' })).toThrow(/^PORT .+\nLOG_LEVEL .+$/)
  })

  it('requires AUTH_SECRET with DATABASE_URL, so that all nodes have the same', () => {
    expect(() => readEnv({ DATABASE_URL: 'postgres://db/parley' })).toThrow('AUTH_SECRET is required with DATABASE_URL')
    expect(readEnv({ DATABASE_URL: 'postgres://db/parley', AUTH_SECRET: 'a'.repeat(32) }).databaseUrl).toBe(
      'postgres://db/parley',
    )
  })

  it('wants a way to pay whole or not at all', () => {
    const DATABASE_URL = 'postgres://localhost/parley'
    const base = { DATABASE_URL, AUTH_SECRET: 'x'.repeat(32) }
    expect(() => readEnv({ ...base, STRIPE_SECRET_KEY: 'sk' })).toThrow('STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET')
    expect(() => readEnv({ ...base, MERCADOPAGO_ACCESS_TOKEN: 't', MERCADOPAGO_WEBHOOK_SECRET: 's' })).toThrow(
      'MERCADOPAGO_ACCESS_TOKEN needs USD_BRL_RATE',
    )
    expect(() => readEnv({ ...base, AIZ_USD_PRICE: '0' })).toThrow('AIZ_USD_PRICE must be above 0')
    expect(readEnv(base).payments).toEqual({ stripe: undefined, mercadoPago: undefined, token: undefined })
    expect(readEnv({ BASE_RPC_URL: 'http://127.0.0.1:1' }).payments.token).toBeUndefined()
  })

  it('anchors on Sui with a node and a package alone, on a network that there is', () => {
    expect(readEnv({}).suiAnchoring).toBeUndefined()
    expect(readEnv({ SUI_RPC_URL: 'https://node.example/key', SUI_PACKAGE_ID: '0xABC' }).suiAnchoring).toEqual({
      rpcUrl: 'https://node.example/key',
      package: `0x${'0'.repeat(61)}abc`,
      network: 'mainnet',
    })
    expect(() => readEnv({ SUI_RPC_URL: 'https://node.example' })).toThrow('SUI_RPC_URL needs SUI_PACKAGE_ID')
    expect(() => readEnv({ SUI_PACKAGE_ID: '0x1' })).toThrow('SUI_PACKAGE_ID needs SUI_RPC_URL')
    expect(() => readEnv({ SUI_PACKAGE_ID: 'abc' })).toThrow(
      'SUI_PACKAGE_ID must be 0x and at most 64 hexadecimal digits',
    )
    expect(() => readEnv({ SUI_NETWORK: 'moonnet' })).toThrow(
      'SUI_NETWORK must be one of mainnet, testnet, devnet, localnet',
    )
  })

  it('takes no payments on the embedded database unless told so', () => {
    expect(() => readEnv({ STRIPE_SECRET_KEY: 'sk' })).toThrow('STRIPE_SECRET_KEY needs DATABASE_URL')
    expect(() =>
      readEnv({ STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec', ALLOW_PAYMENTS_ON_PGLITE: 'true' }),
    ).not.toThrow()
  })

  it('reads proxies and links', () => {
    const env = readEnv({ TRUST_PROXY: '10.0.0.0/8, ::1', COMMUNITY_URL: 'https://community.example.org' })
    expect(env.trustProxy).toEqual(['10.0.0.0/8', '::1'])
    expect(env.contact.communityUrl).toBe('https://community.example.org')
  })
})
