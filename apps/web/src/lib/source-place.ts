import '../i18n/later-texts'
import type { SourcePart } from '@parley/contract/parts'
import type { Translate } from '../i18n/interface-language'
import { pagesUnitOfName } from './pages-unit'
import { isVideo } from './video-address'

/** Where a passage stands: its page, the time in a video, or the host of a website. */
export function placeOf(
  { title, page, url }: Pick<SourcePart, 'title' | 'page' | 'url'>,
  t: Translate,
): string | undefined {
  if (url === undefined) return page === undefined ? undefined : pageText(title, page, t)
  // Of a video the page is the second at which it is said, plus one.
  return isVideo(url) && page !== undefined ? clockText(page - 1) : hostOf(url)
}

const ofUnit = { pages: 'sources.page', sheets: 'sources.sheet', slides: 'sources.slide' } as const

/** `Page 3`, `Sheet 1`, `Slide 2`, of a document of this name. */
export const pageText = (name: string, page: number, t: Translate): string => t(ofUnit[pagesUnitOfName(name)], { page })

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
