import { limits } from '@parley/contract/limits/shared'
import { isVideo } from '../../lib/video-address'

export type Link = { url: string; kind: 'website' | 'video' }

/**
 * What a text names as a link; undefined where it does not look like one. The scheme may be left out of the address of
 * a public host; with it any host is taken, such as one that the operator lets be read.
 */
export function linkOf(text: string): Link | undefined {
  const typed = text.trim()
  if (typed === '' || /\s/.test(typed) || typed.length > limits.sources.maxUrlLength) return undefined
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed)
  const address = hasScheme ? typed : `https://${typed}`
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const { hostname, username } = new URL(address)
  const looksLikeHost = /^[^.]+(\.[^.]+)+$/.test(hostname) && !/\.\d*$/.test(hostname)
  if ((!hasScheme && !looksLikeHost) || username !== '') return undefined
  return { url: address, kind: isVideo(address) ? 'video' : 'website' }
}

/** A link that somebody pasted by itself: one with its scheme, so that no file name or word is taken for one. */
export const loneLinkOf = (text: string): Link | undefined =>
  /^\s*https?:\/\/\S+\s*$/i.test(text) ? linkOf(text) : undefined
