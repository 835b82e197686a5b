import '../../i18n/later-texts'
import { memo, useState } from 'react'
import type { Components } from 'react-markdown'
import { useTranslation } from '../../i18n/interface-language'
import { budget } from './blocks'
import styles from './markdown.module.css'
import { isTooTangled } from './pipeline'
import { MarkdownSource } from './prose-block'
import { proseComponents } from './prose-components'
import table from './table.module.css'
import { TableFrame } from './table-frame'

const rowsPerPage = 100
const segmentsPerPage = rowsPerPage / budget.tableSegmentRows

type TableBlockProps = { head: string; segments: readonly string[]; rowCount: number; definitions: string | undefined }

/**
 * A table in pages of 100 rows. Its rows are parsed in segments, so that a row which arrives costs its segment and not
 * the table.
 */
export const TableBlock = memo(function TableBlock({ head, segments, rowCount, definitions }: TableBlockProps) {
  const [page, setPage] = useState(0)
  const first = page * segmentsPerPage
  return (
    <TableFrame footer={rowCount > rowsPerPage && <Pages page={page} rowCount={rowCount} onSelect={setPage} />}>
      <Segment head={head} rows="" definitions={definitions} part="head" />
      {segments.slice(first, first + segmentsPerPage).map((rows, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a segment's place is its identity
        <Segment key={first + index} head={head} rows={rows} definitions={definitions} part="body" />
      ))}
    </TableFrame>
  )
})

type SegmentProps = { head: string; rows: string; definitions: string | undefined; part: 'head' | 'body' }

const Segment = memo(function Segment({ head, rows, definitions, part }: SegmentProps) {
  if (isTooTangled(rows)) return <PlainRows rows={rows} />
  return (
    <MarkdownSource
      text={part === 'head' ? head : `${head}\n${rows}`}
      definitions={definitions}
      components={part === 'head' ? headOnly : bodyOnly}
    />
  )
})

/** The frame brings the table; the header is drawn once. */
const headOnly: Components = { ...proseComponents, table: ({ children }) => children, tbody: () => null }
const bodyOnly: Components = { ...proseComponents, table: ({ children }) => children, thead: () => null }

function PlainRows({ rows }: { rows: string }) {
  return (
    <tbody>
      <tr>
        <td className={styles.plain} colSpan={100}>
          {rows}
        </td>
      </tr>
    </tbody>
  )
}

function Pages({ page, rowCount, onSelect }: { page: number; rowCount: number; onSelect: (page: number) => void }) {
  const { t, language } = useTranslation()
  const number = (value: number) => value.toLocaleString(language)
  const last = Math.ceil(rowCount / rowsPerPage) - 1
  const range = {
    from: number(page * rowsPerPage + 1),
    to: number(Math.min((page + 1) * rowsPerPage, rowCount)),
    total: number(rowCount),
  }
  return (
    <div className={table.pages}>
      <span role="status">{t('markdown.rows', range)}</span>
      <button type="button" className={styles.button} disabled={page === 0} onClick={() => onSelect(page - 1)}>
        {t('markdown.previousRows')}
      </button>
      <button type="button" className={styles.button} disabled={page === last} onClick={() => onSelect(page + 1)}>
        {t('markdown.nextRows')}
      </button>
    </div>
  )
}
