import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { SuiAnchoring } from '@parley/contract/config'
import { limits } from '@parley/contract/limits'
import { dollars, type Markup, type Nano, noMoney, parseDollars, parseMarkup, parseRate, type Rate } from '@parley/contract/money'
import * as z from 'zod/mini'

/** What is wrong with the environment, one line for each variable. Values are not repeated: some are secrets. */
export class EnvError extends Error {
  override name = 'EnvError'
}

const isUrl = (value: string, protocols: string[]): boolean => URL.canParse(value) && protocols.includes(new URL(value).protocol)
const check = (isGood: (value: string) => boolean, error: string) => z.optional(z.string().check(z.refine(isGood, { error })))

const text = z.optional(z.string())
const httpUrl = check((value) => isUrl(value, ['http:', 'https:']), 'must be an http:// or https:// address')
const wholeNumber = (least: number, most: number) =>
  check((value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most, `must be a whole number from ${least} to ${most}`)
const amount = check((value) => /^\d+(\.\d+)?$/.test(value), 'must be a number, 0 or greater')
const dollarAmount = check((value) => parseDollars(value) !== undefined, 'must be an amount in dollars, with at most 9 decimals')
const origin = check((value) => isUrl(value, ['http:', 'https:']) && new URL(value).pathname === '/', 'must be an http:// or https:// address without a path')
const flag = check((value) => ['true', 'false', '1', '0'].includes(value), 'must be true or false')
const suiNetworks = SuiAnchoring.shape.network.options
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Variables = z.object({
  PORT: wholeNumber(0, 65_535),
  HOST: text,
  PUBLIC_URL: origin,
  DATA_DIR: text,
  MIGRATE: flag,
  DATABASE_URL: check((value) => isUrl(value, ['postgres:', 'postgresql:']), 'must be a postgres:// address'),
  ALLOW_PAYMENTS_ON_PGLITE: flag,
  REDIS_URL: check((value) => isUrl(value, ['redis:', 'rediss:']), 'must be a redis:// address'),
  S3_ENDPOINT: httpUrl,
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_REGION: text,
  AUTH_SECRET: check((value) => value.length >= 32, 'must have at least 32 characters, for example of `openssl rand -base64 48`'),
  AUTH_UNIFORM_ERRORS: flag,
  TRUST_PROXY: check((value) => value.split(',').every(isAddressRange), 'must be a list of addresses or ranges, such as 10.0.0.0/8,127.0.0.1'),
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
  TITLE_MODEL: text,
  SEARXNG_URL: httpUrl,
  TAVILY_API_KEY: text,
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

/** The checked environment: what the code so far needs. Throws EnvError. */
export function readEnv(source: Record<string, string | undefined>) {
  // An empty value is how many tools write "unset".
  const given: Partial<Record<string, string>> = Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const parsed = z.safeParse(Variables, given)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  const variables = parsed.data
  if (given.DATABASE_URL && !given.AUTH_SECRET) wrong.push('AUTH_SECRET is required with DATABASE_URL: every node needs the same')
  const paysBy = ['STRIPE_SECRET_KEY', 'MERCADOPAGO_ACCESS_TOKEN', 'AIZ_TREASURY_ADDRESS'].find((name) => given[name])
  if (paysBy && !given.DATABASE_URL && !isOn(given.ALLOW_PAYMENTS_ON_PGLITE))
    wrong.push(`${paysBy} needs DATABASE_URL: the embedded database is not safe against power loss (ALLOW_PAYMENTS_ON_PGLITE=true overrides this)`)
  if (given.MARKETING_URL && !given.PUBLIC_URL) wrong.push('MARKETING_URL needs PUBLIC_URL: its pages lead to the app')
  wrong.push(...paymentMistakes(given))
  if ((given.SUI_PACKAGE_ID === undefined) !== (given.SUI_RPC_URL === undefined))
    wrong.push(given.SUI_RPC_URL ? 'SUI_RPC_URL needs SUI_PACKAGE_ID' : 'SUI_PACKAGE_ID needs SUI_RPC_URL')
  if (!variables || wrong.length > 0) throw new EnvError(wrong.join('\n'))

  const port = Number(variables.PORT ?? 3000)
  return {
    port,
    host: variables.HOST ?? '127.0.0.1',
    publicUrl: variables.PUBLIC_URL === undefined ? `http://localhost:${port}` : new URL(variables.PUBLIC_URL).origin,
    /** Undefined where the public pages have the app's origin. */
    marketingUrl: marketingOrigin(variables.MARKETING_URL, variables.PUBLIC_URL),
    webDir: variables.WEB_DIR === undefined ? undefined : resolve(variables.WEB_DIR),
    pagesDir: variables.PAGES_DIR === undefined ? undefined : resolve(variables.PAGES_DIR),
    isInMaintenance: isOn(variables.MAINTENANCE),
    isDefaultPublicUrl: variables.PUBLIC_URL === undefined,
    dataDir: resolve(variables.DATA_DIR ?? './data'),
    databaseUrl: variables.DATABASE_URL,
    migrates: variables.MIGRATE === undefined || isOn(variables.MIGRATE),
    redisUrl: variables.REDIS_URL,
    authSecrets: secretsOf(variables.AUTH_SECRET),
    hasUniformAuthErrors: isOn(variables.AUTH_UNIFORM_ERRORS),
    smtpUrl: variables.SMTP_URL,
    mailFrom: variables.MAIL_FROM,
    isEmailConfirmationRequired:
      variables.REQUIRE_EMAIL_CONFIRMATION === undefined ? variables.SMTP_URL !== undefined : isOn(variables.REQUIRE_EMAIL_CONFIRMATION),
    google: { clientId: variables.GOOGLE_CLIENT_ID, issuer: variables.GOOGLE_ISSUER, jwksUrl: variables.GOOGLE_JWKS_URL },
    baseRpcUrl: variables.BASE_RPC_URL,
    baseChainId: Number(variables.BASE_CHAIN_ID ?? 8453),
    suiAnchoring: suiAnchoringOf(variables),
    payments: paymentsOf(given),
    signupCredits: signupCredits(given),
    allowsUnpricedModels: isOn(variables.ALLOW_UNPRICED_MODELS),
    creditMarkup: { text: variables.CREDIT_MARKUP ?? '1', value: markupOf(variables.CREDIT_MARKUP) },
    trustProxy: variables.TRUST_PROXY?.split(',').map((part) => part.trim()),
    anonymousDailyMessages: variables.ANON_DAILY_MESSAGES === undefined ? undefined : Number(variables.ANON_DAILY_MESSAGES),
    fairUse: {
      perWallet: Number(variables.WALLET_HOURLY_ANSWERS ?? limits.fairUse.perWallet),
      perAddress: Number(variables.WALLET_HOURLY_ANSWERS_PER_ADDRESS ?? limits.fairUse.perAddress),
      total: Number(variables.WALLET_HOURLY_ANSWERS_TOTAL ?? limits.fairUse.total),
    },
    rateLimitScale: Number(variables.RATE_LIMIT_SCALE ?? 1),
    maxEventLoopDelayMs: Number(variables.MAX_EVENT_LOOP_DELAY_MS ?? limits.http.maxEventLoopDelayMs),
    llm: { baseUrl: variables.LLM_BASE_URL, apiKey: variables.LLM_API_KEY, defaultModel: variables.DEFAULT_MODEL },
    imageModel: variables.IMAGE_MODEL,
    logLevel: variables.LOG_LEVEL ?? 'info',
    metricsToken: variables.METRICS_TOKEN,
    contact: {
      supportEmail: variables.SUPPORT_EMAIL,
      supportChatUrl: variables.SUPPORT_CHAT_URL,
      communityUrl: variables.COMMUNITY_URL,
      twitter: variables.SOCIAL_TWITTER_URL,
      instagram: variables.SOCIAL_INSTAGRAM_URL,
      youtube: variables.SOCIAL_YOUTUBE_URL,
      discord: variables.SOCIAL_DISCORD_URL,
    },
  }
}

export type Env = ReturnType<typeof readEnv>

/** What a way to pay needs, all or none of it: with half of it money could come that nobody notices. */
const paymentGroups = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['MERCADOPAGO_ACCESS_TOKEN', 'MERCADOPAGO_WEBHOOK_SECRET', 'USD_BRL_RATE'],
  // Contract wallets need the node of the chain too, without any payments.
  ['AIZ_TREASURY_ADDRESS', 'AIZ_TOKEN_ADDRESS', 'AIZ_USD_PRICE', 'BASE_RPC_URL'],
] as const

type Given = Partial<Record<string, string>>

function paymentMistakes(given: Given): string[] {
  const missing = paymentGroups.flatMap(([first, ...others]) =>
    given[first] === undefined ? [] : others.filter((name) => given[name] === undefined).map((name) => `${first} needs ${name}`),
  )
  const noRates = ['USD_BRL_RATE', 'AIZ_USD_PRICE'].filter((name) => given[name] !== undefined && parseRate(given[name]) === undefined)
  return [...missing, ...noRates.map((name) => `${name} must be above 0, with at most 18 decimals`)]
}

/** The ways to pay that are configured; what is missing in one was named before. */
function paymentsOf(given: Given) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: stripeSecret, MERCADOPAGO_ACCESS_TOKEN: accessToken } = given
  const { MERCADOPAGO_WEBHOOK_SECRET: pixSecret, AIZ_TOKEN_ADDRESS: token, AIZ_TREASURY_ADDRESS: treasury, BASE_RPC_URL: rpcUrl } = given
  const rate: Rate | undefined = parseRate(given.USD_BRL_RATE)
  const price: Rate | undefined = parseRate(given.AIZ_USD_PRICE)
  return {
    stripe: secretKey && stripeSecret ? { secretKey, webhookSecret: stripeSecret, apiUrl: given.STRIPE_API_URL } : undefined,
    mercadoPago: accessToken && pixSecret && rate ? { accessToken, webhookSecret: pixSecret, apiUrl: given.MERCADOPAGO_API_URL, rate } : undefined,
    token:
      token && treasury && rpcUrl && price
        ? { token: token.toLowerCase(), treasury: treasury.toLowerCase(), rpcUrl, price, chainId: Number(given.BASE_CHAIN_ID ?? 8453) }
        : undefined,
  }
}

function suiAnchoringOf({ SUI_RPC_URL: rpcUrl, SUI_PACKAGE_ID: id, SUI_NETWORK: network = 'mainnet' }: z.infer<typeof Variables>) {
  return rpcUrl && id ? { rpcUrl, package: `0x${id.slice(2).toLowerCase().padStart(64, '0')}`, network } : undefined
}

/** Where nothing is sold there must be something to begin with. */
function signupCredits(given: Given): Nano {
  const sells = given.STRIPE_SECRET_KEY !== undefined || given.MERCADOPAGO_ACCESS_TOKEN !== undefined
  return parseDollars(given.SIGNUP_CREDITS) ?? (sells ? noMoney : dollars(limits.credits.signupDollars))
}

function marketingOrigin(given: string | undefined, publicUrl: string | undefined): string | undefined {
  const marketing = given === undefined ? undefined : new URL(given).origin
  return publicUrl !== undefined && marketing === new URL(publicUrl).origin ? undefined : marketing
}

function markupOf(given = '1'): Markup {
  const markup = parseMarkup(given)
  if (markup === undefined) throw new EnvError('CREDIT_MARKUP must be a number from 0 to 1000')
  return markup
}

function isOn(value: string | undefined): boolean {
  return value === 'true' || value === '1'
}

/** Older secrets may follow the new one, separated by commas. One secret may hold commas itself: then some part is too short to be one. */
function secretsOf(value: string | undefined): string[] {
  if (value === undefined) return []
  const parts = value.split(',').map((part) => part.trim())
  return parts.every((part) => part.length >= 32) ? parts : [value]
}

function isEthereumAddress(value: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(value)
}

function isAddressRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.trim().split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(range.trim())
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
