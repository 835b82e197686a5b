import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { userRoutes } from '@parley/contract/users'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handle } from '../../plugins/handle'
import { accountLanguage, randomToken } from './account-rules'
import type { AccountService, Opened, SignInPlace } from './account-service'
import type { SignInWith } from './identity'
import type { SessionService } from './session-service'

/** Does the work when the answer is out. */
type Later = (reply: FastifyReply, work: () => Promise<void>) => void
type Deps = {
  accounts: AccountService
  sessions: SessionService
  publicUrl: string
  isConfirmationRequired: boolean
  addressOf: (request: FastifyRequest) => string
  later: Later
}

/** The secret half of a browser's session: no script can read it, no other site can send it. */
const sessionCookie = 'parley.session'
/** Tells this browser from others: a password chosen in it, and a sign-in from it before. It outlives sessions. */
const browserCookie = 'parley.browser'
const dayS = 86_400

/** Mounts sign-up, sign-in and everything about one's own account. Answers how a proven identity is signed in, for the other ways in. */
export function registerAuthRoutes(app: FastifyInstance, { accounts, sessions, publicUrl, isConfirmationRequired, addressOf, later }: Deps): SignInWith {
  const cookie = { httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:'), path: '/api/auth' } as const
  const admit = ({ answer, browserSecret }: Opened, reply: FastifyReply): SignIn => {
    if (browserSecret !== undefined) reply.setCookie(sessionCookie, browserSecret, { ...cookie, maxAge: limits.auth.refreshTokenDays * dayS })
    return answer
  }
  const secretOf = (request: FastifyRequest): string | undefined => request.cookies[sessionCookie]
  /** Browsers name where a call comes from, programs do not and keep no cookies. */
  const placeOf = (request: FastifyRequest, reply: FastifyReply, deviceId?: string): SignInPlace => {
    const isBrowser = request.headers.origin !== undefined
    const known = request.cookies[browserCookie]
    const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : isBrowser ? randomToken() : undefined
    if (browser !== undefined) reply.setCookie(browserCookie, browser, { ...cookie, maxAge: limits.auth.knownBrowserDays * dayS })
    return { isBrowser, browser, address: addressOf(request), deviceId, language: languageOf(request, undefined), later: (work) => later(reply, work) }
  }
  const anyone = { permission: 'anyone', perMinute: limits.auth.loginsPerMinutePerAddress } as const

  handle(app, authRoutes.signup, { permission: 'anyone', perMinute: limits.auth.signupsPerMinutePerAddress }, async ({ body, request, reply }) => {
    await accounts.signUp({ ...body, language: languageOf(request, body.language) }, placeOf(request, reply))
    return { success: true, message: 'Account created', confirmation_required: isConfirmationRequired }
  })
  handle(app, authRoutes.resendConfirmation, { permission: 'anyone', perMinute: limits.auth.resetsPerMinutePerAddress }, ({ body, request, reply }) => {
    accounts.resendConfirmation(body.email, placeOf(request, reply))
    return { message: 'If this address waits for its confirmation, the link was sent again' }
  })
  handle(app, authRoutes.confirmEmail, anyone, async ({ body, request, reply }) =>
    admit(await accounts.confirmEmail(body.token, placeOf(request, reply, body.deviceId)), reply),
  )
  handle(app, authRoutes.login, anyone, async ({ body, request, reply }) =>
    admit(await accounts.login(body.email, body.password, placeOf(request, reply, body.deviceId)), reply),
  )
  handle(app, authRoutes.refresh, { permission: 'anyone', perMinute: limits.auth.refreshesPerMinutePerAddress }, ({ body, request }) =>
    sessions.refresh(body.refresh_token, secretOf(request)),
  )
  handle(app, authRoutes.logout, { permission: 'anyone' }, async ({ body, request, reply }) => {
    await sessions.logout(body.refresh_token, secretOf(request))
    reply.clearCookie(sessionCookie, cookie)
  })
  handle(app, authRoutes.resetPassword, { permission: 'anyone', perMinute: limits.auth.resetsPerMinutePerAddress }, ({ body, request, reply }) => {
    accounts.requestReset(body.email, ownAddress(app, body.redirectTo, publicUrl), placeOf(request, reply))
    return { message: 'If there is an account with this address, a link was sent' }
  })
  handle(app, authRoutes.confirmReset, { permission: 'anyone', perMinute: limits.auth.resetsPerMinutePerAddress }, async ({ body, request, reply }) => {
    const result = await accounts.confirmReset(body.token, body, placeOf(request, reply, body.deviceId))
    if (result.kind === 'recovered') return { success: true, message: 'Signed in', session: admit(result, reply) }
    return { success: true, message: result.kind === 'changed' ? 'Password changed' : 'A one-time password was sent' }
  })
  handle(app, authRoutes.changePassword, { permission: 'person', perMinute: limits.auth.loginsPerMinutePerAddress }, ({ person, body }) =>
    accounts.changePassword(person, body),
  )
  handle(app, authRoutes.updateProfile, { permission: 'person' }, ({ person, body }) => accounts.update(person, { name: body.name }))
  handle(app, authRoutes.updateLanguage, { permission: 'person' }, ({ person, body }) => accounts.update(person, { language: body.language }))
  handle(app, userRoutes.get, { permission: 'person' }, ({ person }) => accounts.user(person))
  handle(app, userRoutes.remove, { permission: 'person' }, async ({ person, body, reply }) => {
    await accounts.remove(person, body)
    reply.clearCookie(sessionCookie, cookie)
  })

  return async (identity, { deviceId, request, reply }) => admit(await accounts.signInWith(identity, placeOf(request, reply, deviceId)), reply)
}

function languageOf(request: FastifyRequest, wanted: string | undefined) {
  return accountLanguage(wanted, request.headers['accept-language'])
}

const defaultReturn = '/settings?tab=security&recoverPassword=true'

/** An address of this server, said anew from its own parts: nothing that was sent decides the host. */
function ownAddress(app: FastifyInstance, wanted: string | undefined, publicUrl: string): string {
  if (wanted === undefined) return `${publicUrl}${defaultReturn}`
  // A backslash or a space is read differently by different programs.
  if (/[\\\s\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, publicUrl)) throw new AppError('auth.redirect-not-allowed')
  const url = new URL(wanted, publicUrl)
  const isOwn = url.origin === new URL(publicUrl).origin || app.origins.isOwn(url.origin)
  if (!isOwn || url.username !== '' || url.password !== '') throw new AppError('auth.redirect-not-allowed')
  return `${url.origin}${url.pathname}${url.search}`
}
