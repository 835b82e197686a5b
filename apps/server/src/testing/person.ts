import { normalizeEmail, SignIn } from '@parley/contract/auth'
import { Tokens } from '@parley/contract/session'
import { uuidv7 } from '@parley/contract/uuid'
import type { PrivateKeyAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import type { Db } from '../db/client'
import { insertAccount } from '../features/auth/account-store'

type Place = { call(path: string, init?: RequestInit): Promise<Response>; url: string; db?: Db; now?: () => number }
type Answer = { status: number; headers: Headers; body: unknown }

export const goodPassword = 'Correct-Horse-7'

/** A browser or a program that signs in: it keeps its cookies as a browser would and shows its access token. */
export class Client {
  private readonly cookies = new Map<string, string>()
  tokens: Tokens | undefined

  /** `origin`: a browser's; programs send none (null). */
  constructor(
    private readonly place: Place,
    private readonly origin: string | null = place.url,
  ) {}

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isJson = body !== undefined
    const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {}
    return this.sendRaw(method, path, isJson ? JSON.stringify(body) : undefined, { ...type, ...headers })
  }

  /** A form, or bytes as they are. */
  async sendRaw(
    method: string,
    path: string,
    body?: FormData | Uint8Array | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await this.request(method, path, body, headers)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** What is not JSON. */
  async request(
    method: string,
    path: string,
    body?: FormData | Uint8Array | string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await this.place.call(path, {
      method,
      headers: {
        ...(this.origin === null ? {} : { origin: this.origin }),
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...(this.tokens ? { authorization: `Bearer ${this.tokens.access_token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body as string | FormData | Uint8Array<ArrayBuffer> }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Takes the tokens of a sign-in's answer; throws when it is none. */
  admit({ body }: Answer): SignIn {
    const answer = z.parse(SignIn, body)
    this.tokens = answer
    return answer
  }

  async signUp(email: string, password = goodPassword): Promise<Answer> {
    return this.post('/api/auth/signup', { email, password })
  }

  async login(email: string, password = goodPassword, more: Record<string, unknown> = {}): Promise<SignIn> {
    return this.admit(await this.post('/api/auth/login', { email, password, ...more }))
  }

  async refresh(token = this.tokens?.refresh_token): Promise<Answer> {
    return this.post('/api/auth/refreshToken', { refresh_token: token })
  }

  /** Takes new tokens for the old ones. */
  async renew(): Promise<void> {
    this.tokens = z.parse(Tokens, (await this.refresh()).body)
  }

  forgetCookies(): void {
    this.cookies.clear()
  }
}

/** `goodPassword`, hashed as cheaply as Argon2 can. */
const goodPasswordHash = '$argon2id$v=19$m=8,t=1,p=1$coV0OFGWipTirFjVRYxoVg$+7yjoaCRAuOezK21Ex03d3iqLyDS05C6Ix6GQgOD6Uc'

/**
 * A person with an account, signed in. Where the database is at hand the account is written, since a sign-up takes a
 * tenth of a second.
 */
export async function aPerson(
  place: Place,
  email: string,
  origin?: string | null,
): Promise<Client & { answer: SignIn }> {
  const client = new Client(place, origin)
  const createdAt = new Date(place.now?.() ?? Date.now())
  const account = {
    id: uuidv7(),
    kind: 'email' as const,
    email: normalizeEmail(email),
    passwordHash: goodPasswordHash,
    language: 'en-US' as const,
    createdAt,
  }
  if (place.db) await insertAccount(place.db, account)
  else await client.signUp(email)
  return Object.assign(client, { answer: await client.login(email) })
}

/** A person who signs in with an Ethereum wallet. */
export async function aWalletPerson(
  place: Place,
  account: PrivateKeyAccount,
  origin?: string | null,
): Promise<Client & { answer: SignIn }> {
  const client = new Client(place, origin)
  const challenge = await client.post(`/api/auth/web3/ethereum/requestChallenge/${account.address}`, {})
  const { message } = (challenge.body as { data: { message: string } }).data
  const signature = await account.signMessage({ message })
  return Object.assign(client, {
    answer: client.admit(await client.post('/api/auth/web3/ethereum/verifyChallenge', { message, signature })),
  })
}
