import { createHash } from 'node:crypto'
import { AppError } from '@parley/contract/errors'

export type Link = { url: string; type: 'website' | 'video' }

/** By which the same address twice is one source. */
export const contentOfLink = (url: string): string => createHash('sha256').update(url).digest('hex')

/** Whether it may be fetched is found out when it is. Throws source.url-invalid. */
export function linkOf(given: string, type?: Link['type']): Link {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new AppError('source.url-invalid')
  url.hash = ''
  const isVideo = /^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$/.test(url.hostname)
  return { url: url.href, type: type ?? (isVideo ? 'video' : 'website') }
}
