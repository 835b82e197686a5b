import '../../i18n/later-texts'
import { errorText, isErrorCode } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import type { Translate } from '../../i18n/interface-language'
import { byteText } from '../../lib/byte-text'
import { pagesUnit } from '../../lib/pages-unit'
import { percentText } from '../../lib/percent-text'
import { hostOf } from '../../lib/source-place'

export const isRead = ({ status }: Source): boolean => status === 'processed'
export const isFailed = ({ status }: Source): boolean => status === 'failed'
export const isBeingRead = ({ status }: Source): boolean => status === 'queued' || status === 'processing'

/** Trying again brings nothing where the file itself is what cannot be read, or is not there whole. */
const hopeless = [
  'source.type',
  'source.empty',
  'source.too-large',
  'source.damaged',
  'source.protected',
  'source.no-text',
  'source.bomb',
  'source.upload-damaged',
]
export const canRetry = ({ status, reason = '' }: Source): boolean => status === 'failed' && !hopeless.includes(reason)

/** How far it is read, in words. A failed one says that it could not be read, and not why: see reasonOf. */
export function stateText(source: Source, t: Translate, language: string): string {
  const { status, progress, pages } = source
  switch (status) {
    case 'processed':
      return pages && source.type === 'document'
        ? t('sources.processedPages', { pages: pagesText(source, t) })
        : t('sources.processed')
    case 'failed':
      return t('sources.failed', { reason: reasonOf(source, language) })
    case 'queued':
      return progress?.unit === 'bytes' ? sendingText(progress, t, language) : t('sources.queued')
    case 'processing':
      if (!progress || progress.of === 0) return t('sources.reading')
      return progress.unit === 'bytes'
        ? sendingText(progress, t, language)
        : t('sources.readingPage', { page: progress.done, pages: progress.of })
  }
}

const sendingText = ({ done, of }: { done: number; of: number }, t: Translate, language: string): string =>
  t('sources.sending', { percent: percentText(of === 0 ? 0 : done / of, language) })

/** Why a source could not be read, and what a person can do. */
function reasonOf({ reason }: Source, language: string): string {
  return errorText(reason !== undefined && isErrorCode(reason) ? reason : 'source.unreadable', language)
}

/** What of it was not read as it is. */
export const noticeTexts = ({ notices }: Source, t: Translate): string[] =>
  notices.flatMap((notice) => (isNotice(notice) ? [t(`sources.notice.${notice}`)] : []))

const notices = ['first-pages', 'first-text', 'from-picture', 'no-text', 'damaged'] as const
const isNotice = (notice: string): notice is (typeof notices)[number] => notices.some((known) => known === notice)

/** What it is: pages and size of a file, host and time of a website. */
export function factsOf(source: Source, t: Translate, language: string): string[] {
  const { type, url, pages, bytes, fetchedAt } = source
  if (type === 'document') {
    const known = pages ?? (source.progress?.unit === 'pages' ? source.progress.of : 0)
    return [...(known ? [pagesText({ ...source, pages: known }, t)] : []), byteText(bytes, language)]
  }
  const host = url === undefined ? undefined : hostOf(url)
  return [
    ...(host === undefined ? [] : [host]),
    ...(fetchedAt === undefined ? [] : [fetchedText(fetchedAt, t, language)]),
  ]
}

/** `34 pages`, `3 sheets`, `1 slide` */
const pagesText = ({ mediaType, pages = 0 }: Source, t: Translate): string =>
  t(`sources.${pagesUnit(mediaType)}`, { count: pages })

/** `fetched 20 Nov, 14:02` */
export function fetchedText(at: string, t: Translate, language: string): string {
  const time = new Intl.DateTimeFormat(language, {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(new Date(at))
  return t('sources.fetched', { time })
}

/** What its picture says of it. */
export function iconOf({ type, status }: Source): 'website' | 'video' | 'reading' | 'failed' | undefined {
  if (status === 'failed') return 'failed'
  if (status !== 'processed') return 'reading'
  return type === 'document' ? undefined : type
}
