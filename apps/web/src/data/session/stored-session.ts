import { Tokens } from '@parley/contract/session'
import { User } from '@parley/contract/users'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { currentScope, enterScope } from '../scope/scope'

/** Part of the contract: other programs and older pages read these keys and shapes. */
const tokenKey = 'sb.token'
const userKey = 'user'
const changeEvent = 'authStateChanged'

const StoredTokens = z.object({
  ...Tokens.shape,
  token_type: z._default(z.literal('bearer'), 'bearer'),
  refreshed_at: z.number(),
})
export type StoredTokens = z.infer<typeof StoredTokens>

type Session = { user: User; tokens: StoredTokens }

function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}

/** User and tokens, or nothing: a broken session is discarded, and the person is signed out. */
function readSession(): Session | undefined {
  const user = z.safeParse(User, readJson(userKey))
  const tokens = z.safeParse(StoredTokens, readJson(tokenKey))
  return user.success && tokens.success && tokens.data.access_token !== ''
    ? { user: user.data, tokens: tokens.data }
    : undefined
}

function discardBroken(): void {
  if (readSession() || (localStorage.getItem(userKey) === null && localStorage.getItem(tokenKey) === null)) return
  localStorage.removeItem(userKey)
  localStorage.removeItem(tokenKey)
}

const useStored = create<{ session: Session | undefined }>(() => {
  try {
    discardBroken()
  } catch {
    // Storage is denied, so that nobody can be signed in.
  }
  return { session: readSession() }
})

function refresh(): void {
  const session = readSession()
  if (JSON.stringify(session) !== JSON.stringify(useStored.getState().session)) useStored.setState({ session })
}

// Before anybody else hears of it: nothing of the former person's may be found by whoever acts for the next one.
onSessionChange((user) => enterScope({ ...currentScope().environment, userId: user?.id }))

// Another tab signed in, refreshed or signed out; or a script of this page announces it.
globalThis.addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === null || key === tokenKey || key === userKey) refresh()
})
addEventListener(changeEvent, refresh)

function write(change: () => void): void {
  change()
  refresh()
  dispatchEvent(new Event(changeEvent))
}

export function storedSession(): Session | undefined {
  return useStored.getState().session
}

/** Reads the stored tokens: another tab may have refreshed them. */
export function readTokens(): StoredTokens | undefined {
  refresh()
  return storedSession()?.tokens
}

export function storeSession(user: User, tokens: Tokens, kind: 'web2' | 'web3'): void {
  write(() => {
    localStorage.setItem(userKey, JSON.stringify(user))
    localStorage.setItem(tokenKey, JSON.stringify({ ...pick(tokens), refreshed_at: Date.now() }))
    localStorage.setItem('web2Login', String(kind === 'web2'))
    localStorage.setItem('webModeLogin', kind === 'web2' ? 'Web 2' : 'Web 3')
  })
}

export function storeTokens(tokens: Tokens): void {
  write(() => localStorage.setItem(tokenKey, JSON.stringify({ ...pick(tokens), refreshed_at: Date.now() })))
}

export function storeUser(user: User): void {
  write(() => localStorage.setItem(userKey, JSON.stringify(user)))
}

/** Removes user and tokens; everything else in localStorage stays. */
export function forgetSession(): void {
  write(() => {
    localStorage.removeItem(userKey)
    localStorage.removeItem(tokenKey)
  })
}

/** The signed-in person; undefined for an anonymous one. */
export function useUser(): User | undefined {
  return useStored(({ session }) => session?.user)
}

export function onSessionChange(listener: (user: User | undefined) => void): () => void {
  return useStored.subscribe(({ session }, before) => {
    if (session?.user.id !== before.session?.user.id) listener(session?.user)
  })
}

const pick = ({ access_token, refresh_token, token_type, expires_in }: Tokens): Tokens => ({
  access_token,
  refresh_token,
  token_type,
  expires_in,
})
