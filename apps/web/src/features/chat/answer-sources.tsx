import '../../i18n/later-texts'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import { ScanEye } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { openCitation, useOpenNumber } from '../../lib/open-citation'
import { pagesUnitOfName } from '../../lib/pages-unit'
import { isWebPage, placeOf } from '../../lib/source-place'
import { isVideo } from '../../lib/video-address'
import { FileIcon } from '../../ui/file-icon'
import styles from './citations.module.css'
import { readTexts } from './read-texts'

type Props = {
  channelId: string
  mId: string
  citations: readonly SourcePart[]
  /** What the model was given. */
  read: readonly FilePart[]
}

/** Under an answer: the passages that it cites, and what was read for it. */
export default function AnswerSources({ channelId, mId, citations, read }: Props) {
  const { t } = useTranslation()
  const openNumber = useOpenNumber(mId)
  const texts = readTexts(read, t)
  return (
    <>
      {citations.length > 0 && (
        <ol className={styles.list} aria-label={t('sources.citations')}>
          {citations.map((citation) => (
            <li key={citation.n}>
              <button
                type="button"
                className={styles.pill}
                aria-label={t('sources.openNumber', { n: citation.n, title: titleOf(citation) })}
                aria-pressed={openNumber === citation.n}
                onClick={() => openCitation.show({ channelId, mId, n: citation.n, citations })}
              >
                <b>{citation.n}</b>
                <FileIcon mediaType={mediaTypeOf(citation, read)} is={kindOf(citation.url)} />
                <span dir="auto">{titleOf(citation)}</span>
                {citation.page !== undefined && !isWebPage(citation.url) && (
                  <span className={styles.pillPlace}>
                    {isPage(citation) ? t('sources.pageShort', { page: citation.page }) : placeOf(citation, t)}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ol>
      )}
      {texts.length > 0 && (
        <p className={styles.read}>
          <ScanEye aria-hidden="true" />
          <span>{t('sources.read', { what: texts.join(' · ') })}</span>
        </p>
      )}
    </>
  )
}

/** A page of the web goes by its host, as a person knows it. */
const titleOf = (citation: SourcePart): string =>
  isWebPage(citation.url) ? (placeOf(citation, (key) => key) ?? citation.title) : citation.title

/** Neither a sheet nor a slide, nor the time in a video. */
const isPage = ({ title, url }: SourcePart): boolean => url === undefined && pagesUnitOfName(title) === 'pages'

const kindOf = (url: string | undefined) => (url === undefined ? undefined : isVideo(url) ? 'video' : 'website')

const mediaTypeOf = ({ fileId, title }: SourcePart, read: readonly FilePart[]): string =>
  read.find((file) => file.fileId === fileId || file.name === title)?.mediaType ?? ''
