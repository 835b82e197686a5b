import * as z from 'zod/mini'
import { fullLanguages } from './languages'
import { route } from './route'

/** How an account proves itself. Only the server sets it; `ethereum`, `solana` and `sui` have unlimited use. */
export const accountKinds = ['email', 'google', 'ethereum', 'solana', 'sui'] as const
export type AccountKind = (typeof accountKinds)[number]

export const Subscription = z.object({ product_name: z.string(), current_period_end: z.string() })

export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  language: z.enum(fullLanguages),
  /** One that was never confirmed can sign in where the server does not ask for it. */
  email_confirmed: z.boolean(),
  has_password: z.boolean(),
  user_metadata: z.object({
    name: z.optional(z.string()),
    display_name: z.optional(z.string()),
    full_name: z.optional(z.string()),
    given_name: z.optional(z.string()),
    family_name: z.optional(z.string()),
    language: z.optional(z.string()),
    picture: z.optional(z.string()),
  }),
  app_metadata: z.object({ kind: z.enum(accountKinds), subscription: z.optional(Subscription) }),
})
export type User = z.infer<typeof User>

/** What is shown as a person's name: the first that is set, or the part of the e-mail before the @. */
export function shownName({
  email,
  name,
  user_metadata: meta,
}: Pick<User, 'email' | 'name' | 'user_metadata'>): string {
  const both = [meta.given_name, meta.family_name].filter(Boolean).join(' ')
  return (
    [meta.display_name, name, meta.name, meta.full_name, both].find((candidate) => candidate?.trim()) ??
    email.split('@')[0] ??
    email
  )
}

const walletDomains = ['@erc20', '@solana', '@sui']
const base58Name = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const hexName = /^0x[0-9a-f]{64}$/i

/**
 * The shape of a wallet account's e-mail. It decides nothing but what is shown, and only where the account's kind is
 * unknown.
 */
export function looksLikeWallet(email: string): boolean {
  const [name = ''] = email.split('@')
  return (
    walletDomains.some((domain) => email.toLowerCase().includes(domain)) || base58Name.test(name) || hexName.test(name)
  )
}

/** The first six and the last four characters: what a person knows their wallet by. */
export const shortAddress = (address: string): string =>
  address.length > 13 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address

/** Whether this account's use is unlimited, as far as a client can tell; the server decides by its own record. */
export function isWeb3({
  email,
  app_metadata,
}: {
  email: string
  app_metadata?: { kind?: AccountKind | undefined } | undefined
}): boolean {
  const kind = app_metadata?.kind
  return kind === undefined ? looksLikeWallet(email) : ['ethereum', 'solana', 'sui'].includes(kind)
}

export const userRoutes = {
  get: route({
    method: 'GET',
    path: '/api/user',
    query: z.object({ lang: z.optional(z.string()) }),
    response: User,
    summary: 'The signed-in person',
  }),
  /** Everything of the account is gone but ledger rows, which lose the person. Another person's id is 404. */
  remove: route({
    method: 'DELETE',
    path: '/api/user/account',
    body: z.object({
      userId: z.string(),
      /** Their public agents stay, without their name and their pictures; without it all of their agents go. */
      keepsAgents: z.optional(z.boolean()),
    }),
    response: z.void(),
    status: 204,
    summary: 'Deletes the account of the signed-in person',
  }),
}
