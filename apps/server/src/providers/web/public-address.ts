import { lookup as lookUpName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { AppError } from '@parley/contract/errors'
import ipaddr from 'ipaddr.js'

// Which addresses of strangers may be called (threats T1 to T5): public ones alone, by what a socket really connects
// to.

type Answer = { address: string; family: number }
/** All addresses of a name, as the system's resolver tells them. */
export type Resolve = (hostname: string) => Promise<Answer[]>

const resolveAll: Resolve = (hostname) => lookUpName(hostname, { all: true, verbatim: true })

/**
 * Only what is unicast passes: so do neither private, local, shared or reserved ranges nor any that carry another
 * address within (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast'
}

/**
 * An address as a person gives it. `allowedHosts`: the operator's exceptions, as exact `host:port`. Throws
 * source.url-invalid where it is none, source.url-refused where it is none that a stranger may have called.
 */
export function requirePublicUrl(given: string, allowedHosts: ReadonlySet<string>): URL {
  if (!URL.canParse(given)) throw new AppError('source.url-invalid')
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AppError('source.url-invalid')
  if (url.username !== '' || url.password !== '') throw new AppError('source.url-refused')
  url.hash = ''
  if (isAllowed(url, allowedHosts)) return url
  if (url.port !== '') throw new AppError('source.url-refused')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A socket does not look up what is an address already.
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw new AppError('source.url-refused')
  return url
}

export const isAllowed = (url: URL, allowedHosts: ReadonlySet<string>): boolean =>
  allowedHosts.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`)

/**
 * The look-up of a socket: the addresses that it answers are those that are connected to, so that a name cannot have
 * another one in between. One that is not public refuses the name.
 */
export function publicLookup(isExempt: (hostname: string) => boolean, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, done) => {
    void resolve(hostname).then(
      (answers) => {
        const [first] = answers
        const isRefused = !isExempt(hostname) && !answers.every(({ address }) => isPublicAddress(address))
        if (!first) done(new Error('the name has no address'), '', 0)
        else if (isRefused) done(new AppError('source.url-refused'), '', 0)
        else if (options.all) done(null, answers)
        else done(null, first.address, first.family)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error('the look-up failed'), '', 0),
    )
  }
}
