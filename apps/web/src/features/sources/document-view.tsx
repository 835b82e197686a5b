import '../../i18n/later-texts'
import type { DocumentBlock, ReadDocument } from '@parley/contract/read-document'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './document-view.module.css'
import { locatePassage, type Place } from './locate-passage'

/** So many blocks around the passage are drawn; a book has ten thousands. */
const mostBlocks = 400

/** `pageText`: what the places of this source are called, such as pages or times. */
type Props = { document: ReadDocument; passage: string; page: number | undefined; pageText: (page: number) => string }

/** The text of a source with the passage marked and in sight. */
export function DocumentView({ document, passage, page, pageText }: Props) {
  const { t } = useTranslation()
  const places = useMemo(() => placesIn(document.blocks, passage, page), [document, passage, page])
  const ground = useRef<HTMLDivElement>(null)
  const first =
    places[0]?.index ??
    Math.max(
      0,
      document.blocks.findIndex((block) => block.page === page),
    )
  const from = Math.max(0, first - mostBlocks / 2)
  const shown = document.blocks.slice(from, from + mostBlocks)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage is another place
  useEffect(() => {
    const mark = ground.current?.querySelector('mark')
    mark?.scrollIntoView({ block: 'center' })
  }, [places])
  return (
    <div ref={ground} className={styles.paper}>
      {from > 0 && <p className={styles.cut}>{t('sources.cutBefore')}</p>}
      {shown.map((block, index) => {
        const at = from + index
        const isNewPage = block.page !== undefined && block.page !== document.blocks[at - 1]?.page
        return (
          <div key={at} className={styles.block}>
            {isNewPage && <p className={styles.page}>{pageText(block.page ?? 1)}</p>}
            <Block block={block} places={places.filter((place) => place.index === at)} />
          </div>
        )
      })}
      {from + shown.length < document.blocks.length && <p className={styles.cut}>{t('sources.cutAfter')}</p>}
    </div>
  )
}

function placesIn(blocks: readonly DocumentBlock[], passage: string, page: number | undefined): Place[] {
  const start = page === undefined ? -1 : blocks.findIndex((block) => block.page === page)
  // From its page on first: the same words may stand on an earlier one.
  const later = start > 0 ? shifted(locatePassage(blocks.slice(start).map(textOf), passage), start) : []
  return later.length > 0 ? later : locatePassage(blocks.map(textOf), passage)
}

const shifted = (places: Place[], by: number): Place[] => places.map((place) => ({ ...place, index: place.index + by }))

const textOf = (block: DocumentBlock): string =>
  block.kind === 'table' ? block.rows.map((row) => row.join(' ')).join('\n') : block.text

function Block({ block, places }: { block: DocumentBlock; places: readonly Place[] }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3 dir="auto" className={styles.heading} data-level={block.level}>
          {marked(block.text, places)}
        </h3>
      )
    case 'list-item':
      return (
        <p dir="auto" className={styles.item} style={{ marginInlineStart: `${(block.level + 1) * 1.2}em` }}>
          {marked(block.text, places)}
        </p>
      )
    case 'code':
      return (
        <pre className={styles.code} dir="ltr">
          {marked(block.text, places)}
        </pre>
      )
    case 'footnote':
      return (
        <p dir="auto" className={styles.footnote}>
          {marked(block.text, places)}
        </p>
      )
    case 'table':
      return <Table block={block} places={places} />
    default:
      return <p dir="auto">{marked(block.text, places)}</p>
  }
}

/** The rows that the passage has something of are marked whole. */
function Table({ block, places }: { block: DocumentBlock & { kind: 'table' }; places: readonly Place[] }) {
  let offset = 0
  const rows = block.rows.map((cells) => {
    const from = offset
    offset += cells.join(' ').length + 1
    return { cells, isMarked: places.some((place) => place.from < offset - 1 && place.to > from) }
  })
  return (
    <div className={styles.frame}>
      <table>
        <tbody>
          {rows.map(({ cells, isMarked }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row's place is its identity
            <tr key={row} data-marked={isMarked || undefined}>
              {cells.map((cell, column) => {
                const Cell = block.hasHeader && row === 0 ? 'th' : 'td'
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell's place is its identity
                  <Cell key={column} dir="auto">
                    {isMarked ? <mark>{cell}</mark> : cell}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function marked(text: string, places: readonly Place[]): ReactNode {
  const [place] = places
  if (!place) return text
  const to = places.at(-1)?.to ?? place.to
  return (
    <>
      {text.slice(0, place.from)}
      <mark>{text.slice(place.from, to)}</mark>
      {text.slice(to)}
    </>
  )
}
