import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

// Argon2id, the library's default algorithm, with OWASP's second set of parameters: 19 MiB, two passes.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing runs on other threads, never on all processors, so that streaming answers keep one. */
const lanes = Math.max(1, availableParallelism() - 1)
const waiting: (() => void)[] = []
let working = 0

async function inLane<T>(work: () => Promise<T>): Promise<T> {
  if (working >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
  else working++
  try {
    return await work()
  } finally {
    // Hands the lane to the next in the queue, or frees it.
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}

function hashPassword(password: string): Promise<string> {
  return inLane(() => hash(password.normalize('NFKC'), options))
}

/** Verifies a dummy hash where there is none, so that the time does not tell whether an account exists. */
async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await inLane(async () => verify(passwordHash ?? (await dummyHash()), password.normalize('NFKC')))
  return isRight && passwordHash != null
}

export type Passwords = { hash: typeof hashPassword; verify: typeof verifyPassword }
export const argonPasswords: Passwords = { hash: hashPassword, verify: verifyPassword }

let dummy: Promise<string> | undefined

function dummyHash(): Promise<string> {
  dummy ??= hash('nobody has this password', options)
  return dummy
}

/** 100 bits in four groups of five characters, without characters that look alike. */
export function oneTimePassword(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
