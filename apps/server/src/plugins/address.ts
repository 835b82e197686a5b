import { normalizeIP } from '@fastify/rate-limit'
import { macOf } from '../secrets'

/**
 * What stands for a network address in counters: a keyed hash that changes every day, of the canonical address (an IPv6
 * one by its /64). The address itself is never stored or logged, and a counter cannot be followed over days.
 */
export function addressHasher(key: Buffer): (address: string, now: number) => string {
  return (address, now) => {
    const day = Math.floor(now / 86_400_000)
    return macOf(key, `address:${day}:${normalizeIP(address)}`).slice(0, 22)
  }
}
