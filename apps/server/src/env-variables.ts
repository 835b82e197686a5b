import { isIP } from 'node:net'
import { SuiAnchoring } from '@parley/contract/config'
import { parseDollars, parseMarkup } from '@parley/contract/money'
import * as z from 'zod/mini'

const isUrl = (value: string, protocols: string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)
const check = (isGood: (value: string) => boolean, error: string) =>
  z.optional(z.string().check(z.refine(isGood, { error })))

const text = z.optional(z.string())
const httpUrl = check((value) => isUrl(value, ['http:', 'https:']), 'must be an http:// or https:// address')
const wholeNumber = (least: number, most: number) =>
  check(
    (value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most,
    `must be a whole number from ${least} to ${most}`,
  )
const amount = check((value) => /^\d+(\.\d+)?$/.test(value), 'must be a number, 0 or greater')
const dollarAmount = check(
  (value) => parseDollars(value) !== undefined,
  'must be an amount in dollars, with at most 9 decimals',
)
const origin = check(
  (value) => isUrl(value, ['http:', 'https:']) && new URL(value).pathname === '/',
  'must be an http:// or https:// address without a path',
)
const flag = check((value) => ['true', 'false', '1', '0'].includes(value), 'must be true or false')
const suiNetworks = SuiAnchoring.shape.network.options
const searchProviders = ['searxng', 'brave', 'gateway', 'none'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The values that are set, as texts. */
export type GivenVariables = Partial<Record<string, string>>

/** All variables, with their formats. */
export const EnvVariables = z.object({
  PORT: wholeNumber(0, 65_535),
  HOST: text,
  PUBLIC_URL: origin,
  DATA_DIR: text,
  MIGRATE: flag,
  DATABASE_URL: check((value) => isUrl(value, ['postgres:', 'postgresql:']), 'must be a postgres:// address'),
  DATABASE_POOL_SIZE: wholeNumber(2, 1000),
  ALLOW_PAYMENTS_ON_PGLITE: flag,
  REDIS_URL: check((value) => isUrl(value, ['redis:', 'rediss:']), 'must be a redis:// address'),
  S3_ENDPOINT: httpUrl,
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_REGION: text,
  AUTH_SECRET: check(
    (value) => value.length >= 32,
    'must have at least 32 characters, for example of `openssl rand -base64 48`',
  ),
  AUTH_UNIFORM_ERRORS: flag,
  TRUST_PROXY: check(
    (value) => value.split(',').every(isAddressRange),
    'must be a list of addresses or ranges, such as 10.0.0.0/8,127.0.0.1',
  ),
  ANON_DAILY_MESSAGES: wholeNumber(0, 1_000_000),
  WALLET_HOURLY_ANSWERS: wholeNumber(0, 1_000_000),
  WALLET_HOURLY_ANSWERS_PER_ADDRESS: wholeNumber(0, 1_000_000),
  WALLET_HOURLY_ANSWERS_TOTAL: wholeNumber(0, 1_000_000),
  RATE_LIMIT_SCALE: amount,
  MAX_EVENT_LOOP_DELAY_MS: wholeNumber(0, 60_000),
  LLM_BASE_URL: httpUrl,
  LLM_API_KEY: text,
  DEFAULT_MODEL: text,
  IMAGE_MODEL: text,
  EMBEDDING_MODEL: text,
  EMBEDDING_BASE_URL: httpUrl,
  EMBEDDING_API_KEY: text,
  TITLE_MODEL: text,
  SEARCH_PROVIDER: z.optional(z.enum(searchProviders, { error: `must be one of ${searchProviders.join(', ')}` })),
  SEARXNG_URL: httpUrl,
  BRAVE_API_KEY: text,
  BRAVE_API_URL: httpUrl,
  WEB_SEARCH_COST: dollarAmount,
  SMTP_URL: check((value) => isUrl(value, ['smtp:', 'smtps:']), 'must be an smtp:// or smtps:// address'),
  MAIL_FROM: text,
  REQUIRE_EMAIL_CONFIRMATION: flag,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_ISSUER: httpUrl,
  GOOGLE_JWKS_URL: httpUrl,
  SIGNUP_CREDITS: dollarAmount,
  ALLOW_UNPRICED_MODELS: flag,
  CREDIT_MARKUP: check((value) => parseMarkup(value) !== undefined, 'must be a number from 0 to 1000'),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_URL: httpUrl,
  MERCADOPAGO_ACCESS_TOKEN: text,
  MERCADOPAGO_WEBHOOK_SECRET: text,
  MERCADOPAGO_API_URL: httpUrl,
  USD_BRL_RATE: amount,
  BASE_RPC_URL: httpUrl,
  BASE_CHAIN_ID: wholeNumber(1, 2 ** 40),
  AIZ_TOKEN_ADDRESS: check(isEthereumAddress, 'must be 0x and 40 hexadecimal digits'),
  AIZ_TREASURY_ADDRESS: check(isEthereumAddress, 'must be 0x and 40 hexadecimal digits'),
  AIZ_USD_PRICE: amount,
  FETCH_ALLOWED_HOSTS: check(
    (value) => value.split(',').every((host) => /^[^\s:/]+:\d{1,5}$/.test(host.trim())),
    'must be a list of host:port, such as wiki.internal:443',
  ),
  SUI_RPC_URL: httpUrl,
  SUI_PACKAGE_ID: check((value) => /^0x[0-9a-f]{1,64}$/i.test(value), 'must be 0x and at most 64 hexadecimal digits'),
  SUI_NETWORK: z.optional(z.enum(suiNetworks, { error: `must be one of ${suiNetworks.join(', ')}` })),
  LOG_LEVEL: z.optional(z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })),
  METRICS_TOKEN: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  SUPPORT_EMAIL: check((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address'),
  SUPPORT_CHAT_URL: httpUrl,
  COMMUNITY_URL: httpUrl,
  SOCIAL_TWITTER_URL: httpUrl,
  SOCIAL_INSTAGRAM_URL: httpUrl,
  SOCIAL_YOUTUBE_URL: httpUrl,
  SOCIAL_DISCORD_URL: httpUrl,
  MARKETING_URL: origin,
  PAGES_DIR: text,
  WEB_DIR: text,
  MAINTENANCE: flag,
})

function isEthereumAddress(value: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(value)
}

function isAddressRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.trim().split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(range.trim())
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
