import * as z from 'zod/mini'
import { withoutHidden } from './hidden-characters'
import { fullLanguages } from './languages'
import { route } from './route'
import { Tokens } from './session'
import { looksLikeWallet, User } from './users'

/**
 * What every address is compared as: compatibility forms, invisible characters, case and outer spaces do not make
 * another one.
 */
export function normalizeEmail(email: string): string {
  const plain = email
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
  const at = plain.lastIndexOf('@')
  // A domain has one spelling: the one that the network knows. A dot at its end changes nothing there.
  const domain = plain.slice(at + 1).replace(/\.$/, '')
  if (at < 0) return plain
  return `${plain.slice(0, at)}@${URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain}`
}

/**
 * A run of non-space, non-@ characters, an @, another run, a dot, another run; none of them control characters or
 * halves of a character.
 */
export function isEmail(email: string): boolean {
  return email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && !/[\p{Cc}\p{Cs}\ufffd]/u.test(email)
}

/** Addresses of wallet accounts and what could be taken for one: nobody can sign up with them. */
export function isReservedEmail(email: string): boolean {
  return looksLikeWallet(normalizeEmail(email)) || looksLikeWallet(email.normalize('NFKC').trim())
}

export type PasswordProblem = 'minLength' | 'hasUppercase' | 'hasLowercase' | 'hasNumbers' | 'hasSpecialChar'
export const passwordProblems: readonly PasswordProblem[] = [
  'minLength',
  'hasUppercase',
  'hasLowercase',
  'hasNumbers',
  'hasSpecialChar',
]
export const passwordMinLength = 8
const passwordMaxLength = 200

/**
 * The rules of a new password; `errors` are what is missing, in the order of the checklist. Special: printable ASCII
 * that is no letter, digit or space.
 */
export function checkPassword(password: string): {
  isValid: boolean
  errors: PasswordProblem[]
  requirements: Record<PasswordProblem, boolean>
} {
  const requirements = {
    minLength: password.length >= passwordMinLength,
    hasUppercase: /[A-Z]/.test(password),
    hasLowercase: /[a-z]/.test(password),
    hasNumbers: /\d/.test(password),
    hasSpecialChar: /[!-/:-@[-`{-~]/.test(password),
  }
  const errors = passwordProblems.filter((problem) => !requirements[problem])
  return { isValid: errors.length === 0 && password.length <= passwordMaxLength, errors, requirements }
}

/**
 * The answer of every successful sign-in. `vault_key` (256 bit, base64url) opens what this account sealed on the device
 * that was named; it is given nowhere else. `recovered`: the person signed in with a one-time password, or confirmed
 * the address in another browser than the one that signed up, and should choose a new password.
 */
export const SignIn = z.extend(Tokens, {
  user: User,
  vault_key: z.optional(z.string()),
  recovered: z.optional(z.boolean()),
})
export type SignIn = z.infer<typeof SignIn>

/** A random id of this browser, made by it: the vault key is kept per account and device. */
const deviceId = z.optional(z.uuid())
const email = z.string().check(z.maxLength(320))
const password = z.string().check(z.minLength(1), z.maxLength(passwordMaxLength))
const address = z.object({ address: z.string().check(z.maxLength(100)) })
const message = z.string().check(z.maxLength(4_000))
const signature = z.string().check(z.maxLength(20_000))
const Message = z.object({ success: z.boolean(), message: z.string() })
const Challenge = z.object({ success: z.boolean(), data: z.object({ message: z.string() }) })

const post = { method: 'POST' } as const

export const authRoutes = {
  signup: route({
    ...post,
    path: '/api/auth/signup',
    body: z.object({ email, password, language: z.optional(z.string()) }),
    /** Without `confirmation_required` the client signs in at once with the same words. */
    response: z.extend(Message, { confirmation_required: z.boolean() }),
    status: 201,
    summary: 'Creates an account with e-mail and password',
  }),
  resendConfirmation: route({
    ...post,
    path: '/api/auth/resend-confirmation',
    body: z.object({ email }),
    response: z.object({ message: z.string() }),
    status: 202,
    summary: 'Sends the confirmation mail again, whatever the account',
  }),
  confirmEmail: route({
    ...post,
    path: '/api/auth/confirm-email',
    body: z.object({ token: z.string().check(z.maxLength(200)), deviceId }),
    response: SignIn,
    summary: 'Confirms an e-mail address and signs in',
  }),
  login: route({
    ...post,
    path: '/api/auth/login',
    body: z.object({ email, password, deviceId }),
    response: SignIn,
    summary: 'Signs in with e-mail and password',
  }),
  resetPassword: route({
    ...post,
    path: '/api/auth/reset-password',
    body: z.object({ email, redirectTo: z.optional(z.string().check(z.maxLength(2_000))) }),
    response: z.object({ message: z.string() }),
    summary: 'Mails a link for a new password; the answer never tells whether there is an account',
  }),
  /**
   * With `newPassword` it becomes the password. With `recover` the answer is a session in which a new one can be set
   * (the mail's link to the settings). With neither a one-time password is mailed. Every other session ends in all
   * three cases.
   */
  confirmReset: route({
    ...post,
    path: '/api/auth/confirm-reset-password',
    body: z.object({
      token: z.string().check(z.maxLength(200)),
      newPassword: z.optional(password),
      recover: z.optional(z.boolean()),
      deviceId,
    }),
    response: z.extend(Message, { session: z.optional(SignIn) }),
    summary: 'Uses the link of the reset mail',
  }),
  changePassword: route({
    ...post,
    path: '/api/auth/change-password',
    body: z.object({ newPassword: password, currentPassword: z.optional(password) }),
    response: z.void(),
    status: 204,
    summary: 'Sets a new password; needs a fresh sign-in or the current password',
  }),
  updateProfile: route({
    ...post,
    path: '/api/auth/update-profile',
    body: z.object({ name: z.string().check(z.overwrite(withoutHidden), z.trim(), z.minLength(1), z.maxLength(100)) }),
    response: User,
    summary: 'Changes the name',
  }),
  updateLanguage: route({
    ...post,
    path: '/api/auth/update-language',
    body: z.object({ language: z.enum(fullLanguages) }),
    response: User,
    summary: 'Changes the language',
  }),
  /**
   * The address of the provider's page for the popup. `state` comes back with the popup's message; the nonce in it is
   * good once, for ten minutes.
   */
  googleStart: route({
    ...post,
    path: '/api/auth/google/start',
    response: z.object({ url: z.url(), state: z.string() }),
    summary: 'Begins a sign-in with Google',
  }),
  googleLogin: route({
    ...post,
    path: '/api/auth/google/login',
    body: z.object({ token: z.string().check(z.maxLength(10_000)), deviceId }),
    response: SignIn,
    summary: 'Signs in with a Google ID token',
  }),
  ethereumChallenge: route({
    ...post,
    path: '/api/auth/web3/ethereum/requestChallenge/:address',
    params: address,
    response: Challenge,
    summary: 'A message to sign with an Ethereum wallet (EIP-4361)',
  }),
  ethereumVerify: route({
    ...post,
    path: '/api/auth/web3/ethereum/verifyChallenge',
    body: z.object({ message, signature, deviceId }),
    response: SignIn,
    summary: 'Signs in with the signed message',
  }),
  solanaChallenge: route({
    ...post,
    path: '/api/auth/web3/solana/requestChallenge/:address',
    params: address,
    response: Challenge,
    summary: 'A message to sign with a Solana wallet',
  }),
  solanaVerify: route({
    ...post,
    path: '/api/auth/web3/solana/verifyChallenge',
    body: z.object({ address: address.shape.address, message, signature, deviceId }),
    response: SignIn,
    summary: 'Signs in with the signed message (base58 signature)',
  }),
  suiChallenge: route({
    ...post,
    path: '/api/auth/web3/sui/requestChallenge/:address',
    params: address,
    response: Challenge,
    summary: 'A message to sign with a Sui wallet',
  }),
  suiVerify: route({
    ...post,
    path: '/api/auth/web3/sui/verifyChallenge',
    body: z.object({ address: address.shape.address, message, signature, deviceId }),
    response: SignIn,
    summary: 'Signs in with the signed message (Sui personal message, base64 signature)',
  }),
}
