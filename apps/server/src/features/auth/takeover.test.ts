import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { Secrets } from '../../secrets'
import { databaseKind, emptyTables, testDatabase } from '../../testing/test-databases'
import { createAccessTokens } from './access-tokens'
import { findAccountByEmail } from './account-store'
import { createAttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import { createAccountServices } from './create-account-services'
import type { Passwords } from './passwords'
import { createRefreshTokens } from './refresh-tokens'
import { SessionService } from './session-service'
import type { SignInContext } from './sign-in-context'
import type { SignInResult } from './sign-in-service'

type Rules = { isConfirmationRequired: boolean; hasUniformErrors: boolean }
type Link = { kind: 'confirm' | 'reset'; token: string }

const secrets = new Secrets(['a secret of the tests that is long enough'])
/** The real one is slow on purpose. */
const passwords: Passwords = {
  hash: (password) => Promise.resolve(`${randomUUID()}:${digest(password)}`),
  verify: (hash, password) => Promise.resolve(hash?.split(':')[1] === digest(password)),
}
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const stranger = { password: 'Strangers-Pass-1', browser: 's'.repeat(43) }
const owner = { password: 'Owners-First-Pass-1', browser: 'o'.repeat(43) }
const chosenLater = 'Owners-Second-Pass-2'
/** What is done after the answer is done before the next event. */
let following: Promise<void> = Promise.resolve()
const afterResponse = (work: () => Promise<void>): void => {
  following = following.then(work)
}
const at = (browser: string): SignInContext => ({
  isBrowser: true,
  browser,
  address: browser,
  deviceId: undefined,
  language: 'en-US',
  afterResponse,
})

const nothing = (): Promise<void> => Promise.resolve()

/** The service on a real database, with one mailbox that only the owner reads. */
function aWorld(db: Db, rules: Rules, onRemoved = nothing) {
  const email = `v-${randomUUID()}@example.org`
  const now = Date.now
  const bus = new MemoryBus()
  const sessions = new SessionService({
    db,
    bus,
    accessTokens: createAccessTokens(secrets, now),
    refreshTokens: createRefreshTokens(secrets),
    now,
  })
  const mailbox: Link[] = []
  const oneTimePasswords: string[] = []
  const mails: AuthMails = {
    confirmEmail: (_to, token) => void mailbox.push({ kind: 'confirm', token }),
    alreadyRegistered: () => undefined,
    resetPassword: (_to, { token }) => void mailbox.push({ kind: 'reset', token }),
    oneTimePassword: (_to, password) => void oneTimePasswords.push(password),
    passwordChanged: () => undefined,
    accountDeleted: () => undefined,
  }
  const attempts = createAttemptLimits({ bus, countersKey: Buffer.alloc(32), scale: 0 })
  const services = createAccountServices({
    db,
    sessions,
    mails,
    attempts,
    passwords,
    ...rules,
    onAccountRemoved: onRemoved,
    beforeSession: nothing,
    log: pino({ level: 'silent' }),
    now,
  })
  const held: SignInResult[] = []
  return { email, sessions, ...services, mailbox, oneTimePasswords, held, isLinked: false }
}
type World = ReturnType<typeof aWorld>

/** What was answered; undefined for a refusal of the catalogue. Anything else is a fault. */
async function answered<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

const press = ({ passwordChanges, signUps }: World, { kind, token }: Link): Promise<unknown> =>
  answered<unknown>(
    kind === 'confirm'
      ? signUps.confirmEmail(token, at(owner.browser))
      : passwordChanges.confirmReset(token, { recover: true }, at(owner.browser)),
  )

/** What people do; each answers whether the owner has proved by it that the address is theirs. */
const events = {
  async 'a stranger signs up and holds what opens'({ signIns, signUps, email, held }: World) {
    await answered(signUps.signUp({ email, password: stranger.password, language: 'en-US' }, at(stranger.browser)))
    await following
    const opened = await answered(signIns.login(email, stranger.password, at(stranger.browser)))
    if (opened) held.push(opened)
    return false
  },
  async 'the owner signs up'({ signUps, email }: World) {
    await answered(signUps.signUp({ email, password: owner.password, language: 'en-US' }, at(owner.browser)))
    await following
    return false
  },
  async 'the mail is sent again'({ signUps, email }: World) {
    signUps.resendConfirmation(email, { afterResponse })
    await following
    return false
  },
  async 'the owner comes with Google'(world: World) {
    const { signIns, email, isLinked } = world
    world.isLinked =
      (await answered(signIns.signInWith({ kind: 'google', sub: email, email }, at(owner.browser)))) !== undefined
    // From the second time on it is a sign-in like any other.
    return world.isLinked && !isLinked
  },
  async 'the owner resets the password'({ passwordChanges, email, mailbox }: World) {
    passwordChanges.requestReset(email, 'https://parley.example/settings', { afterResponse })
    await following
    const link = mailbox.findLast(({ kind }) => kind === 'reset')
    const choice = { newPassword: chosenLater }
    return (
      link !== undefined &&
      (await answered(passwordChanges.confirmReset(link.token, choice, at(owner.browser)))) !== undefined
    )
  },
  async 'the owner has a one-time password mailed'({ passwordChanges, email, mailbox }: World) {
    passwordChanges.requestReset(email, 'https://parley.example/settings', { afterResponse })
    await following
    const link = mailbox.findLast(({ kind }) => kind === 'reset')
    return (
      link !== undefined &&
      (await answered(passwordChanges.confirmReset(link.token, {}, at(owner.browser)))) !== undefined
    )
  },
  async 'the oldest link is pressed'(world: World) {
    const [link] = world.mailbox
    return link !== undefined && (await press(world, link)) !== undefined
  },
  async 'the newest link is pressed'(world: World) {
    const link = world.mailbox.at(-1)
    return link !== undefined && (await press(world, link)) !== undefined
  },
}
type Event = keyof typeof events
const names = Object.keys(events) as Event[]

async function live(db: Db, rules: Rules, order: readonly Event[]): Promise<void> {
  const world = aWorld(db, rules)
  let hasProved = false
  for (const name of order) {
    const before = [...world.mailbox]
    const sessionsBefore = [...world.held]
    const oneTimeBefore = [...world.oneTimePasswords]
    const proves = await events[name](world)
    hasProved ||= proves
    if (!proves) {
      if (hasProved) await expectKeptOut(world)
      continue
    }
    for (const link of before)
      expect(await press(world, link), `after "${name}" an older link still opens the account`).toBeUndefined()
    for (const { response } of sessionsBefore)
      expect(
        await world.sessions.authenticate(response.access_token),
        `after "${name}" the stranger's session goes on`,
      ).toBeUndefined()
    for (const password of oneTimeBefore)
      expect(
        await answered(world.signIns.login(world.email, password, at(owner.browser))),
        `after "${name}" an older one-time password is good`,
      ).toBeUndefined()
    await expectKeptOut(world)
  }
  if (!hasProved || order.length < 4) return
  // Whoever has the mailbox gets in, whatever happened before.
  await events['the owner resets the password'](world)
  expect(await answered(world.signIns.login(world.email, chosenLater, at(owner.browser)))).toBeDefined()
  await expectKeptOut(world)
}

async function expectKeptOut({ signIns, email }: World): Promise<void> {
  expect(
    await answered(signIns.login(email, stranger.password, at(stranger.browser))),
    "the stranger's password opens the account",
  ).toBeUndefined()
}

const inAllOrders = names.filter((name) => name !== 'the owner has a one-time password mailed')

const selections = (length: number): Event[][] =>
  length === 0
    ? [[]]
    : selections(length - 1).flatMap((begun) =>
        inAllOrders.filter((name) => !begun.includes(name)).map((name) => [...begun, name]),
      )

const allRules = [true, false].flatMap((isConfirmationRequired) =>
  [true, false].map((hasUniformErrors) => ({ isConfirmationRequired, hasUniformErrors })),
)

describe.each(allRules)(
  'an address that its owner has proved (confirmation $isConfirmationRequired, uniform errors $hasUniformErrors)',
  (rules) => {
    it('is opened by nothing that somebody else chose, in every order of the events and in long lives', async () => {
      const { db } = await testDatabase(databaseKind)
      await emptyTables(db)
      const orders = selections(rules.hasUniformErrors ? 2 : 3)
      const inTurn = async (): Promise<void> => {
        for (let order = orders.pop(); order; order = orders.pop()) {
          const told = order.join(', then ')
          await live(db, rules, order).catch((cause: unknown) => Promise.reject(new Error(told, { cause })))
        }
      }
      await Promise.all(Array.from({ length: 8 }, inTurn))
      const lives = fc.array(fc.constantFrom(...names), { minLength: 4, maxLength: 10 })
      await fc.assert(
        fc.asyncProperty(lives, (order) => live(db, rules, order)),
        { numRuns: 12, seed: 13 },
      )
    }, 60_000)
  },
)

it('keeps the password of a sign-up whose link is opened in the same browser, and asks for a new one in any other', async () => {
  const { db } = await testDatabase(databaseKind)
  await emptyTables(db)
  for (const browser of [owner.browser, 'p'.repeat(43)]) {
    const { signIns, signUps, email, mailbox } = aWorld(db, { isConfirmationRequired: true, hasUniformErrors: false })
    await signUps.signUp({ email, password: owner.password, language: 'en-US' }, at(owner.browser))
    const { response } = await signUps.confirmEmail(mailbox[0]?.token ?? '', at(browser))
    const isSame = browser === owner.browser
    expect(response.recovered).toBe(isSame ? undefined : true)
    expect((await answered(signIns.login(email, owner.password, at(browser)))) !== undefined).toBe(isSame)
  }
})

it('lets no sign-in through that was checked before the owner proved the address and is finished after it', async () => {
  const { db } = await testDatabase(databaseKind)
  await emptyTables(db)
  const { passwordChanges, signUps, sessions, email, mailbox } = aWorld(db, {
    isConfirmationRequired: false,
    hasUniformErrors: false,
  })
  await signUps.signUp({ email, password: stranger.password, language: 'en-US' }, at(stranger.browser))
  const before = await findAccountByEmail(db, email)
  passwordChanges.requestReset(email, 'https://parley.example/settings', { afterResponse })
  await following
  await passwordChanges.confirmReset(mailbox[0]?.token ?? '', { newPassword: chosenLater }, at(owner.browser))
  await expect(sessions.start(before ?? { id: '', secretsVersion: 0 }, { isBrowser: false })).rejects.toMatchObject({
    code: 'auth.session-expired',
  })
})

it('finishes a deletion that was interrupted, and lets nobody in meanwhile', async () => {
  const { db } = await testDatabase(databaseKind)
  await emptyTables(db)
  let failures = 1
  const goesAway = (): Promise<void> =>
    failures-- > 0 ? Promise.reject(new Error('the database went away')) : Promise.resolve()
  const { accounts, signIns, signUps, sessions, email } = aWorld(
    db,
    { isConfirmationRequired: false, hasUniformErrors: false },
    goesAway,
  )
  await signUps.signUp({ email, password: owner.password, language: 'en-US' }, at(owner.browser))
  const { response } = await signIns.login(email, owner.password, at(owner.browser))
  const person = await sessions.authenticate(response.access_token)
  if (!person) throw new Error('the session is good')
  await accounts.remove(person, { userId: person.userId })
  expect(await findAccountByEmail(db, email)).toBeDefined()
  expect(await sessions.authenticate(response.access_token)).toBeUndefined()
  expect(await answered(signIns.login(email, owner.password, at(owner.browser)))).toBeUndefined()
  await accounts.sweep()
  expect(await findAccountByEmail(db, email)).toBeUndefined()
})
