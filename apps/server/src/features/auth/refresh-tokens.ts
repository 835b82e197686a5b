import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { deriveKey } from '../../plugins/visitors'

export type RefreshTokens = {
  /** The token of a generation; always the same one, so that a child that was lost can be given again. */
  make(session: { id: string; salt: string }, generation: number): string
  isGenuine(parsed: ParsedRefreshToken, session: { id: string; salt: string }): boolean
}

export type ParsedRefreshToken = { sessionId: string; generation: number; proof: string }

/**
 * `{session}.{generation}.{proof}`: the proof is a code over both with the session's random salt. Neither the database alone nor the secret alone makes one,
 * and an old one is told apart from a made-up one: only the former means that somebody else has it.
 */
export function createRefreshTokens(secrets: readonly [string, ...string[]]): RefreshTokens {
  const keys = secrets.map((secret) => deriveKey(secret, 'refresh-token'))
  const prove = (key: Buffer, { id, salt }: { id: string; salt: string }, generation: number): Buffer =>
    createHmac('sha256', key).update(`${id}|${generation}|${salt}`).digest()
  const [newest] = keys
  if (!newest) throw new Error('there is no secret')
  return {
    make: (session, generation) => `${session.id}.${generation}.${prove(newest, session, generation).toString('base64url')}`,
    isGenuine({ generation, proof }, session) {
      const given = Buffer.from(proof, 'base64url')
      return keys.some((key) => {
        const expected = prove(key, session, generation)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
    },
  }
}

export function parseRefreshToken(token: string): ParsedRefreshToken | undefined {
  const [sessionId, number, proof, ...rest] = token.split('.')
  const id = z.safeParse(z.uuid(), sessionId)
  if (!id.success || !number || !/^[1-9]\d{0,8}$/.test(number) || !proof || rest.length > 0) return undefined
  return { sessionId: id.data, generation: Number(number), proof }
}
