import * as z from 'zod/mini'
import type { Secrets } from '../../secrets'

export type RefreshTokens = {
  /** Deterministic, so that a successor that was lost on its way can be sent again. */
  make(session: { id: string; salt: string }, generation: number): string
  isGenuine(parsed: ParsedRefreshToken, session: { id: string; salt: string }): boolean
}

export type ParsedRefreshToken = { sessionId: string; generation: number; proof: string }

/**
 * `{session}.{generation}.{proof}`: the proof is a MAC of both and the session's random salt, so that neither the
 * database nor the secret alone can forge a token. A genuine token of an old generation has been stolen; a forged one
 * is only refused.
 */
export function createRefreshTokens(secrets: Secrets): RefreshTokens {
  const purpose = 'refresh-token'
  const claim = ({ id, salt }: { id: string; salt: string }, generation: number): string =>
    `${id}|${generation}|${salt}`
  return {
    make: (session, generation) => `${session.id}.${generation}.${secrets.sign(purpose, claim(session, generation))}`,
    isGenuine: ({ generation, proof }, session) => secrets.verify(purpose, claim(session, generation), proof),
  }
}

export function parseRefreshToken(token: string): ParsedRefreshToken | undefined {
  const [sessionId, number, proof, ...rest] = token.split('.')
  const id = z.safeParse(z.uuid(), sessionId)
  if (!id.success || !number || !/^[1-9]\d{0,8}$/.test(number) || !proof || rest.length > 0) return undefined
  return { sessionId: id.data, generation: Number(number), proof }
}
