import '../../i18n/later-texts'
import type { SourcePart } from '@parley/contract/parts'
import type { Source } from '@parley/contract/sources'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { readDocument, readFileOf } from '../../data/channels/source-actions'
import { useSources } from '../../data/channels/use-sources'
import { useTranslation } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { errorMessage } from '../../lib/error-message'
import { type OpenCitation, openCitation } from '../../lib/open-citation'
import { clockText, pageText } from '../../lib/source-place'
import { addressAt, isVideo } from '../../lib/video-address'
import { IconButton } from '../../ui/button'
import { FileIcon } from '../../ui/file-icon'
import { SidePanel } from '../../ui/side-panel'
import { Skeleton } from '../../ui/skeleton'
import { toast } from '../../ui/toast'
import { DocumentView } from './document-view'
import { PanelBar } from './panel-bar'
import styles from './source-panel.module.css'
import { fetchedText, noticeTexts } from './source-state'

const loadPdfView = () => import('./pdf-view')

/** The source of a citation beside the chat, open at its passage. N and P go to the next and the previous one. */
export default function SourcePanel({ open }: { open: OpenCitation }) {
  const { t, language } = useTranslation()
  const { citations, n, channelId } = open
  const { sources, isLoading } = useSources(channelId)
  const at = Math.max(
    0,
    citations.findIndex((each) => each.n === n),
  )
  const citation = citations[at]
  const source = sources.find(({ id }) => id === citation?.fileId)
  const step = (by: number): void => {
    const next = citations[at + by]
    if (next) openCitation.show({ ...open, n: next.n })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = { n: 1, p: -1 }[event.key.toLowerCase()]
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }
  const download = async (): Promise<void> => {
    if (!source) return
    try {
      downloadBlob(await readFileOf(source), source.name)
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sources.contentFailed'))
    }
  }
  if (!citation) return null
  return (
    <SidePanel
      title={citation.title}
      closeLabel={t('sources.closePanel')}
      onClose={() => closeTo(open)}
      isWide
      icon={<FileIcon mediaType={source?.mediaType ?? ''} is={kindOf(citation)} />}
      actions={
        source?.type === 'document' && (
          <IconButton label={t('sources.download')} icon={Download} onClick={() => void download()} />
        )
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside */}
      <div className={styles.inside} onKeyDown={onKeyDown}>
        {isLoading && !source ? (
          <Loading />
        ) : (
          <Opened
            key={citation.fileId ?? citation.url ?? citation.n}
            {...{ citation, source }}
            passages={{ at, count: citations.length, onStep: step }}
          />
        )}
      </div>
    </SidePanel>
  )
}

/** Closes the panel; the focus goes back to the number that was open last. */
function closeTo({ mId, n }: OpenCitation): void {
  flushSync(openCitation.close)
  document
    .querySelector<HTMLElement>(`[data-message-id="${CSS.escape(mId)}"] [data-citation="${n}"]`)
    ?.focus({ preventScroll: true })
}

const kindOf = ({ url }: SourcePart) => (url === undefined ? undefined : isVideo(url) ? 'video' : 'website')

type OpenedProps = {
  citation: SourcePart
  source: Source | undefined
  passages: { at: number; count: number; onStep: (by: number) => void }
}

function Opened({ citation, source, passages }: OpenedProps) {
  const { t, language } = useTranslation()
  /** The person may leaf through the document, until they go to another passage. */
  const [turned, setTurned] = useState<{ n: number; page: number }>()
  const page = turned?.n === citation.n ? turned.page : (citation.page ?? 1)
  const setPage = (next: number): void => setTurned({ n: citation.n, page: next })
  const [pages, setPages] = useState(source?.pages)
  const [zoom, setZoom] = useState(1)
  const [isPdfBroken, setIsPdfBroken] = useState(false)
  const breakPdf = useCallback(() => setIsPdfBroken(true), [])
  const isPdf = source?.mediaType === 'application/pdf' && !isPdfBroken
  const PdfView = usePdfView(isPdf, breakPdf)
  const file = useQuery({ ...contentOf(source, 'file'), enabled: isPdf })
  const isScan = isPdf && source.notices?.includes('from-picture')
  const text = useQuery({ ...contentOf(source, 'text'), enabled: source !== undefined && (!isPdf || isScan) })
  const notices = source ? noticeTexts(source, t) : []
  const viewer = useRef<HTMLElement>(null)
  useEffect(() => {
    // Another source came, and what had the focus went with the one before.
    if (document.activeElement === document.body) viewer.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <PanelBar
        passages={passages}
        paging={isPdf ? { page, pages, onPage: setPage, zoom, onZoom: setZoom } : undefined}
        place={isPdf ? undefined : citation}
      />
      {citation.url !== undefined && (
        <p className={styles.origin}>
          <a href={addressAt(citation.url, citation.page)} target="_blank" rel="noopener noreferrer nofollow" dir="ltr">
            {citation.url}
          </a>
          {source?.fetchedAt !== undefined && <span>{fetchedText(source.fetchedAt, t, language)}</span>}
        </p>
      )}
      {notices.length > 0 && <p className={styles.note}>{notices.join(' · ')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard */}
      <section ref={viewer} className={styles.viewer} tabIndex={0} aria-label={t('sources.document')} data-autofocus="">
        {!source || file.isError || (text.isError && !isPdf) ? (
          <Kept citation={citation} isRemoved={!source && citation.fileId !== undefined} />
        ) : isPdf ? (
          file.data && PdfView ? (
            <PdfView
              {...{ file: file.data, page, zoom }}
              passage={citation.passage}
              scanned={isScan ? text.data : undefined}
              onPages={setPages}
              onFailure={breakPdf}
            />
          ) : (
            <Loading />
          )
        ) : text.data ? (
          <DocumentView
            document={text.data}
            passage={citation.passage}
            page={citation.page}
            pageText={(at) => (source.type === 'video' ? clockText(at - 1) : pageText(source.name, at, t))}
          />
        ) : (
          <Loading />
        )}
      </section>
    </>
  )
}

/** What a source holds. It never changes, and is large: it is forgotten when nobody looks at it any more. */
const contentOf = <Kind extends 'file' | 'text'>(source: Source | undefined, kind: Kind) => ({
  queryKey: ['source', kind, source?.channelId, source?.id],
  queryFn: () =>
    (source ? contents[kind](source) : Promise.reject(new Error('no source'))) as ReturnType<(typeof contents)[Kind]>,
  networkMode: 'always' as const,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
  retry: false,
})

const contents = { file: readFileOf, text: readDocument }

/** What draws a PDF is not kept on the device before its first use: without a network its text has to do. */
function usePdfView(isWanted: boolean, onFailure: () => void) {
  const [view, setView] = useState<Awaited<ReturnType<typeof loadPdfView>>>()
  useEffect(() => {
    if (isWanted) loadPdfView().then(setView, onFailure)
  }, [isWanted, onFailure])
  return view?.default
}

/** The passage as it was sent with the question, where its source is not there any more, or cannot be opened. */
function Kept({ citation, isRemoved }: { citation: SourcePart; isRemoved: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={styles.kept}>
      <p>{t(isRemoved ? 'sources.removed' : 'sources.passageOnly')}</p>
      <blockquote dir="auto">{citation.passage}</blockquote>
    </div>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status" aria-label={t('sources.opening')}>
      <Skeleton width="70%" height="16px" />
      <Skeleton width="100%" height="14px" />
      <Skeleton width="94%" height="14px" />
      <Skeleton width="60%" height="14px" />
    </div>
  )
}
