import { createHmac } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import { deriveKey } from './visitors'

/**
 * What stands for a network address in counters: a keyed hash that changes every day, of the canonical address (an IPv6 one by its /64).
 * The address itself is never stored or logged, and a counter cannot be followed over days.
 */
export function addressHasher(secret: string): (address: string, now: number) => string {
  const key = deriveKey(secret, 'address')
  return (address, now) => {
    const day = Math.floor(now / 86_400_000)
    return createHmac('sha256', key)
      .update(`${day}:${normalizeIP(address)}`)
      .digest('base64url')
      .slice(0, 22)
  }
}
