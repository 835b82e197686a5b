import '../../i18n/later-texts'
import type { ReadDocument, ScannedLine } from '@parley/contract/read-document'
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Skeleton } from '../../ui/skeleton'
import { locatePassage } from './locate-passage'
import { type OpenPdf, openPdf } from './open-pdf'
import styles from './pdf-view.module.css'
import { layScannedLines } from './scanned-lines'

type Props = {
  file: Blob
  page: number
  /** 1: as wide as the panel. */
  zoom: number
  passage: string
  /** What was read of it, where pages of it are pictures: they have no words of their own. */
  scanned: ReadDocument | undefined
  onPages: (pages: number) => void
  /** The file cannot be shown as it looks. */
  onFailure: () => void
}

/** One page of a PDF as it looks, with the passage marked in it. */
export default function PdfView({ file, onPages, onFailure, ...shown }: Props) {
  const { t } = useTranslation()
  const [pdf, setPdf] = useState<OpenPdf>()
  useEffect(() => {
    let isGone = false
    let opened: OpenPdf | undefined
    openPdf(file).then(
      (open) => {
        opened = open
        if (isGone) return open.close()
        onPages(open.document.numPages)
        setPdf(open)
      },
      () => !isGone && onFailure(),
    )
    return () => {
      isGone = true
      opened?.close()
    }
  }, [file, onPages, onFailure])
  if (!pdf)
    return (
      <div role="status" aria-label={t('sources.opening')}>
        <Skeleton width="100%" height="640px" />
      </div>
    )
  return <Page pdf={pdf} {...shown} onFailure={onFailure} />
}

type PageProps = Pick<Props, 'page' | 'zoom' | 'passage' | 'scanned' | 'onFailure'> & { pdf: OpenPdf }

function Page({ pdf, page, zoom, passage, scanned, onFailure }: PageProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const paper = useRef<HTMLDivElement>(null)
  const width = useWidthOf(frame)
  useEffect(() => {
    const place = paper.current
    if (!place || width === 0) return
    const drawing = new AbortController()
    const lines = linesOn(page, scanned)
    draw({ pdf, page, width: width * zoom, passage, lines, place, signal: drawing.signal }).catch(
      () => !drawing.signal.aborted && onFailure(),
    )
    return () => drawing.abort()
  }, [pdf, page, zoom, passage, scanned, width, onFailure])
  return (
    <div ref={frame} className={styles.frame}>
      <div ref={paper} className={styles.paper} role="document" aria-label={t('sources.page', { page })} />
    </div>
  )
}

const linesOn = (page: number, document: ReadDocument | undefined): ScannedLine[] =>
  document?.blocks.flatMap((block) => (block.kind === 'paragraph' && block.page === page && block.lines) || []) ?? []

type Drawing = {
  pdf: OpenPdf
  page: number
  width: number
  passage: string
  lines: readonly ScannedLine[]
  place: HTMLElement
  signal: AbortSignal
}

/** Draws beside the page that is shown, and takes its place when it is whole: nothing flickers. */
async function draw({ pdf, page, width, passage, lines, place, signal }: Drawing): Promise<void> {
  const proxy = await pdf.document.getPage(page)
  const scale = width / proxy.getViewport({ scale: 1 }).width
  const viewport = proxy.getViewport({ scale })
  const canvas = document.createElement('canvas')
  const sharpness = Math.min(devicePixelRatio || 1, Math.sqrt(mostPixels / (viewport.width * viewport.height)))
  canvas.width = Math.floor(viewport.width * sharpness)
  canvas.height = Math.floor(viewport.height * sharpness)
  canvas.style.width = `${viewport.width}px`
  canvas.style.height = `${viewport.height}px`
  const rendering = proxy.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] })
  signal.addEventListener('abort', () => rendering.cancel())
  const text = document.createElement('div')
  text.className = styles.text ?? ''
  text.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({ textContentSource: await proxy.getTextContent(), container: text, viewport })
  await Promise.all([rendering.promise, layer.render()])
  if (signal.aborted) return
  place.replaceChildren(canvas, text)
  place.style.width = `${viewport.width}px`
  place.style.height = `${viewport.height}px`
  const words = layer.textDivs.filter(({ textContent }) => textContent.trim() !== '')
  markPassage(words.length > 0 ? words : layScannedLines(lines, text), passage)
  text.querySelector('mark')?.scrollIntoView({ block: 'center', inline: 'nearest' })
}

/** No device paints more at once without trouble. */
const mostPixels = 16_000_000

function markPassage(pieces: readonly HTMLElement[], passage: string): void {
  const texts = pieces.map(({ textContent }) => textContent)
  for (const { index, from, to } of locatePassage(texts, passage)) {
    const piece = pieces[index]
    const text = texts[index] ?? ''
    if (!piece) continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(from, to)
    piece.replaceChildren(text.slice(0, from), mark, text.slice(to))
  }
}

function useWidthOf(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
