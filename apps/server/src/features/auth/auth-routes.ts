import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { sessionRoutes } from '@parley/contract/session'
import { userRoutes } from '@parley/contract/users'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handle } from '../../plugins/handle'
import { accountLanguage, randomToken } from './account-rules'
import type { AccountServices } from './create-account-services'
import type { SignInWith } from './identity'
import type { SessionService } from './session-service'
import type { SignInContext } from './sign-in-context'
import type { SignInResult } from './sign-in-service'

type Deps = {
  services: AccountServices
  sessions: SessionService
  publicUrl: string
  isConfirmationRequired: boolean
  /** The keyed hash of the client's network address. */
  addressOf: (request: FastifyRequest) => string
  /** Runs the work after the response is sent. */
  afterResponse: (reply: FastifyReply, work: () => Promise<void>) => void
}

/** Holds the browser secret of a session: no script can read it, and no other site can send it. */
const sessionCookie = 'parley.session'
/** Identifies the browser across sessions: which password was chosen in it, and who has signed in from it before. */
const browserCookie = 'parley.browser'
const dayS = 86_400

/**
 * Mounts sign-up, sign-in, passwords and the person's own account. Returns the sign-in of a proven identity, for the
 * routes of Google and wallets.
 */
export function registerAuthRoutes(
  app: FastifyInstance,
  { services, sessions, publicUrl, isConfirmationRequired, addressOf, afterResponse }: Deps,
): SignInWith {
  const { accounts, signIns, signUps, passwordChanges } = services
  const cookie = {
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    path: '/api/auth',
  } as const
  const respond = ({ response, browserSecret }: SignInResult, reply: FastifyReply): SignIn => {
    if (browserSecret !== undefined)
      reply.setCookie(sessionCookie, browserSecret, { ...cookie, maxAge: serverLimits.auth.refreshTokenDays * dayS })
    return response
  }
  const secretOf = (request: FastifyRequest): string | undefined => request.cookies[sessionCookie]
  /** Only a browser sends an Origin header; programs keep no cookies. */
  const contextOf = (request: FastifyRequest, reply: FastifyReply, deviceId?: string): SignInContext => {
    const isBrowser = request.headers.origin !== undefined
    const cookieValue = request.cookies[browserCookie]
    const isValid = cookieValue !== undefined && /^[\w-]{43}$/.test(cookieValue)
    const browser = isValid ? cookieValue : isBrowser ? randomToken() : undefined
    if (browser !== undefined)
      reply.setCookie(browserCookie, browser, { ...cookie, maxAge: serverLimits.auth.knownBrowserDays * dayS })
    return {
      isBrowser,
      browser,
      address: addressOf(request),
      deviceId,
      language: languageOf(request, undefined),
      afterResponse: (work) => afterResponse(reply, work),
    }
  }
  const anyone = { permission: 'anyone', perMinute: serverLimits.auth.loginsPerMinutePerAddress } as const

  handle(
    app,
    authRoutes.signup,
    { permission: 'anyone', perMinute: serverLimits.auth.signupsPerMinutePerAddress },
    async ({ body, request, reply }) => {
      await signUps.signUp({ ...body, language: languageOf(request, body.language) }, contextOf(request, reply))
      return { success: true, message: 'Account created', confirmation_required: isConfirmationRequired }
    },
  )
  handle(
    app,
    authRoutes.resendConfirmation,
    { permission: 'anyone', perMinute: serverLimits.auth.resetsPerMinutePerAddress },
    ({ body, request, reply }) => {
      signUps.resendConfirmation(body.email, contextOf(request, reply))
      return { message: 'If this address waits for its confirmation, the link was sent again' }
    },
  )
  handle(app, authRoutes.confirmEmail, anyone, async ({ body, request, reply }) =>
    respond(await signUps.confirmEmail(body.token, contextOf(request, reply, body.deviceId)), reply),
  )
  handle(app, authRoutes.login, anyone, async ({ body, request, reply }) =>
    respond(await signIns.login(body.email, body.password, contextOf(request, reply, body.deviceId)), reply),
  )
  handle(
    app,
    sessionRoutes.refresh,
    { permission: 'anyone', perMinute: serverLimits.auth.refreshesPerMinutePerAddress },
    ({ body, request }) => sessions.refresh(body.refresh_token, secretOf(request)),
  )
  handle(app, sessionRoutes.logout, { permission: 'anyone' }, async ({ body, request, reply }) => {
    await sessions.logout(body.refresh_token, secretOf(request))
    reply.clearCookie(sessionCookie, cookie)
  })
  handle(
    app,
    authRoutes.resetPassword,
    { permission: 'anyone', perMinute: serverLimits.auth.resetsPerMinutePerAddress },
    ({ body, request, reply }) => {
      passwordChanges.requestReset(body.email, ownAddress(app, body.redirectTo, publicUrl), contextOf(request, reply))
      return { message: 'If there is an account with this address, a link was sent' }
    },
  )
  handle(
    app,
    authRoutes.confirmReset,
    { permission: 'anyone', perMinute: serverLimits.auth.resetsPerMinutePerAddress },
    async ({ body, request, reply }) => {
      const result = await passwordChanges.confirmReset(body.token, body, contextOf(request, reply, body.deviceId))
      if (result.kind === 'recovered') return { success: true, message: 'Signed in', session: respond(result, reply) }
      return { success: true, message: result.kind === 'changed' ? 'Password changed' : 'A one-time password was sent' }
    },
  )
  handle(
    app,
    authRoutes.changePassword,
    { permission: 'person', perMinute: serverLimits.auth.loginsPerMinutePerAddress },
    ({ person, body }) => passwordChanges.changePassword(person, body),
  )
  handle(app, authRoutes.updateProfile, { permission: 'person' }, ({ person, body }) =>
    accounts.update(person, { name: body.name }),
  )
  handle(app, authRoutes.updateLanguage, { permission: 'person' }, ({ person, body }) =>
    accounts.update(person, { language: body.language }),
  )
  handle(app, userRoutes.get, { permission: 'person' }, ({ person }) => accounts.user(person))
  handle(app, userRoutes.remove, { permission: 'person' }, async ({ person, body, reply }) => {
    await accounts.remove(person, body)
    reply.clearCookie(sessionCookie, cookie)
  })

  return async (identity, { deviceId, request, reply }) =>
    respond(await signIns.signInWith(identity, contextOf(request, reply, deviceId)), reply)
}

function languageOf(request: FastifyRequest, requested: string | undefined) {
  return accountLanguage(requested, request.headers['accept-language'])
}

const defaultReturn = '/settings?tab=security&recoverPassword=true'

/** Builds an address of this server from the parsed parts of the requested one. Throws auth.redirect-not-allowed. */
function ownAddress(app: FastifyInstance, redirectTo: string | undefined, publicUrl: string): string {
  if (redirectTo === undefined) return `${publicUrl}${defaultReturn}`
  // URL parsers disagree about backslashes and spaces.
  if (/[\\\s\p{Cc}]/u.test(redirectTo) || !URL.canParse(redirectTo, publicUrl))
    throw new AppError('auth.redirect-not-allowed')
  const url = new URL(redirectTo, publicUrl)
  const isOwn = url.origin === new URL(publicUrl).origin || app.origins.isOwn(url.origin)
  if (!isOwn || url.username !== '' || url.password !== '') throw new AppError('auth.redirect-not-allowed')
  return `${url.origin}${url.pathname}${url.search}`
}
