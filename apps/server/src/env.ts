import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { serverLimits } from '@parley/contract/limits/server'
import { dollars, type Markup, type Nano, noMoney, parseDollars, parseMarkup } from '@parley/contract/money'
import * as z from 'zod/mini'
import { paymentErrors, paymentsOf } from './env-payments'
import { searchErrors, searchOf } from './env-search'
import { EnvVariables, type GivenVariables } from './env-variables'

/** The errors in the environment, one line for each variable. Values are not repeated: some are secrets. */
export class EnvError extends Error {
  override name = 'EnvError'
}

/** Reads and checks the environment. Throws EnvError. */
export function readEnv(source: Record<string, string | undefined>) {
  // Many tools write an empty value for an unset variable.
  const given: GivenVariables = Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const parsed = z.safeParse(EnvVariables, given)
  const errors = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  const variables = parsed.data
  if (given.DATABASE_URL && !given.AUTH_SECRET)
    errors.push('AUTH_SECRET is required with DATABASE_URL: every node needs the same')
  const paymentVariable = ['STRIPE_SECRET_KEY', 'MERCADOPAGO_ACCESS_TOKEN', 'AIZ_TREASURY_ADDRESS'].find(
    (name) => given[name],
  )
  if (paymentVariable && !given.DATABASE_URL && !isOn(given.ALLOW_PAYMENTS_ON_PGLITE))
    errors.push(
      `${paymentVariable} needs DATABASE_URL: the embedded database is not safe against power loss (ALLOW_PAYMENTS_ON_PGLITE=true overrides this)`,
    )
  for (const name of ['EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY'] as const)
    if (given[name] && !given.EMBEDDING_MODEL) errors.push(`${name} needs EMBEDDING_MODEL`)
  if (given.MARKETING_URL && !given.PUBLIC_URL) errors.push('MARKETING_URL needs PUBLIC_URL: its pages lead to the app')
  errors.push(...paymentErrors(given), ...searchErrors(given))
  if ((given.SUI_PACKAGE_ID === undefined) !== (given.SUI_RPC_URL === undefined))
    errors.push(given.SUI_RPC_URL ? 'SUI_RPC_URL needs SUI_PACKAGE_ID' : 'SUI_PACKAGE_ID needs SUI_RPC_URL')
  const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const s3Missing = s3Names.filter((name) => given[name] === undefined)
  if (s3Missing.length > 0 && s3Missing.length < s3Names.length)
    errors.push(`${s3Missing.join(', ')} is required with the other variables of S3`)
  if (!variables || errors.length > 0) throw new EnvError(errors.join('\n'))

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
    databasePoolSize: Number(variables.DATABASE_POOL_SIZE ?? 20),
    migrates: variables.MIGRATE === undefined || isOn(variables.MIGRATE),
    redisUrl: variables.REDIS_URL,
    s3: s3Of(variables),
    authSecrets: secretsOf(variables.AUTH_SECRET),
    hasUniformAuthErrors: isOn(variables.AUTH_UNIFORM_ERRORS),
    smtpUrl: variables.SMTP_URL,
    mailFrom: variables.MAIL_FROM,
    isEmailConfirmationRequired:
      variables.REQUIRE_EMAIL_CONFIRMATION === undefined
        ? variables.SMTP_URL !== undefined
        : isOn(variables.REQUIRE_EMAIL_CONFIRMATION),
    google: {
      clientId: variables.GOOGLE_CLIENT_ID,
      issuer: variables.GOOGLE_ISSUER,
      jwksUrl: variables.GOOGLE_JWKS_URL,
    },
    baseRpcUrl: variables.BASE_RPC_URL,
    baseChainId: Number(variables.BASE_CHAIN_ID ?? 8453),
    suiAnchoring: suiAnchoringOf(variables),
    payments: paymentsOf(given),
    signupCredits: signupCredits(given),
    allowsUnpricedModels: isOn(variables.ALLOW_UNPRICED_MODELS),
    creditMarkup: { text: variables.CREDIT_MARKUP ?? '1', value: markupOf(variables.CREDIT_MARKUP) },
    /** Of the operator's own network, as `host:port`: people may add them as websites. */
    fetchAllowedHosts: variables.FETCH_ALLOWED_HOSTS?.split(',').map((host) => host.trim()) ?? [],
    trustProxy: variables.TRUST_PROXY?.split(',').map((part) => part.trim()),
    anonymousDailyMessages:
      variables.ANON_DAILY_MESSAGES === undefined ? undefined : Number(variables.ANON_DAILY_MESSAGES),
    fairUse: {
      perWallet: Number(variables.WALLET_HOURLY_ANSWERS ?? serverLimits.fairUse.perWallet),
      perAddress: Number(variables.WALLET_HOURLY_ANSWERS_PER_ADDRESS ?? serverLimits.fairUse.perAddress),
      total: Number(variables.WALLET_HOURLY_ANSWERS_TOTAL ?? serverLimits.fairUse.total),
    },
    rateLimitScale: Number(variables.RATE_LIMIT_SCALE ?? 1),
    maxEventLoopDelayMs: Number(variables.MAX_EVENT_LOOP_DELAY_MS ?? serverLimits.http.maxEventLoopDelayMs),
    llm: { baseUrl: variables.LLM_BASE_URL, apiKey: variables.LLM_API_KEY, defaultModel: variables.DEFAULT_MODEL },
    imageModel: variables.IMAGE_MODEL,
    search: searchOf(variables),
    embedding: embeddingOf(variables),
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

function s3Of(given: z.infer<typeof EnvVariables>) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region = 'us-east-1' } = given
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? { endpoint, bucket, region, accessKeyId, secretAccessKey }
    : undefined
}

/**
 * Undefined without a model. Without an address of its own it is the gateway's, with the gateway's key; a service with
 * one gets its own key alone.
 */
function embeddingOf(given: z.infer<typeof EnvVariables>) {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey } = given
  return model === undefined ? undefined : { model, baseUrl, apiKey }
}

function suiAnchoringOf({
  SUI_RPC_URL: rpcUrl,
  SUI_PACKAGE_ID: id,
  SUI_NETWORK: network = 'mainnet',
}: z.infer<typeof EnvVariables>) {
  return rpcUrl && id ? { rpcUrl, package: `0x${id.slice(2).toLowerCase().padStart(64, '0')}`, network } : undefined
}

/** A server that sells no credits grants some at sign-up by default. */
function signupCredits(given: GivenVariables): Nano {
  const sells = given.STRIPE_SECRET_KEY !== undefined || given.MERCADOPAGO_ACCESS_TOKEN !== undefined
  return parseDollars(given.SIGNUP_CREDITS) ?? (sells ? noMoney : dollars(serverLimits.credits.signupDollars))
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

/**
 * Earlier secrets may follow the current one, separated by commas. If a part is too short for a secret, the whole value
 * is one secret that contains commas.
 */
function secretsOf(value: string | undefined): string[] {
  if (value === undefined) return []
  const parts = value.split(',').map((part) => part.trim())
  return parts.every((part) => part.length >= 32) ? parts : [value]
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
