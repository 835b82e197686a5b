import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

// Argon2id, which is the library's default, with OWASP's second choice of parameters: 19 MiB, two passes.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing is heavy and runs on other threads; never on all processors, so that answers being written keep one. */
const lanes = Math.max(1, availableParallelism() - 1)
const waiting: (() => void)[] = []
let working = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
  else working++
  try {
    return await work()
  } finally {
    // The place is handed on, or given back.
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}

function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), options))
}

/** Takes as long without a hash as with one, so that the time does not tell whether there is an account. */
async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await inTurn(async () => verify(passwordHash ?? (await dummyHash()), password.normalize('NFKC')))
  return isRight && passwordHash != null
}

export type Passwords = { hash: typeof hashPassword; verify: typeof verifyPassword }
export const argonPasswords: Passwords = { hash: hashPassword, verify: verifyPassword }

let dummy: Promise<string> | undefined

function dummyHash(): Promise<string> {
  dummy ??= hash('nobody has this password', options)
  return dummy
}

/** Four groups of five: easy to copy, 100 bits, no characters that look alike. */
export function oneTimePassword(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
