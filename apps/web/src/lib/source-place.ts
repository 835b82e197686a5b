import '../i18n/later-texts'
import type { SourcePart } from '@parley/contract/parts'
import type { Translate } from '../i18n/interface-language'
import { isVideo } from './video-address'

/** Where a passage stands: its page, the time in a video, or the host of a website. */
export function placeOf({ page, url }: Pick<SourcePart, 'page' | 'url'>, t: Translate): string | undefined {
  if (url === undefined) return page === undefined ? undefined : t('sources.page', { page })
  // Of a video the page is the second at which it is said, plus one.
  return isVideo(url) && page !== undefined ? clockText(page - 1) : hostOf(url)
}

export const isWebPage = (url: string | undefined): boolean => url !== undefined && !isVideo(url)

export function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/^www\./, '')
  } catch {
    return undefined
  }
}

/** `1:02`, `1:00:05`. */
export function clockText(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
