import { AppError } from '@parley/contract/errors'
import { isVideo } from '../../lib/video-address'

/** An address as it is fetched and compared, and what is there. Throws source.url-invalid. */
export function linkOf(given: string): { url: string; type: 'website' | 'video' } {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new AppError('source.url-invalid')
  url.hash = ''
  return { url: url.href, type: isVideo(url.href) ? 'video' : 'website' }
}
