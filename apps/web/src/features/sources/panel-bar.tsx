import '../../i18n/later-texts'
import type { SourcePart } from '@parley/contract/parts'
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, ZoomIn, ZoomOut } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { placeOf } from '../../lib/source-place'
import { IconButton } from '../../ui/button'
import styles from './source-panel.module.css'

type Props = {
  passages: { at: number; count: number; onStep: (by: number) => void }
  /** Of what has pages that are shown one by one. */
  paging:
    | {
        page: number
        pages: number | undefined
        onPage: (page: number) => void
        zoom: number
        onZoom: (zoom: number) => void
      }
    | undefined
  /** Of what has none: where the passage stands. */
  place: SourcePart | undefined
}

const zooms = [1, 1.25, 1.5, 2, 3]

/**
 * Pages and passages of the source beside the chat. A button that leads nowhere is not disabled: it would lose the
 * focus, and with it the keys of the panel.
 */
export function PanelBar({ passages: { at, count, onStep }, paging, place }: Props) {
  const { t } = useTranslation()
  const isLastPage = paging?.pages !== undefined && paging.page >= paging.pages
  const zoomAt = paging ? zooms.indexOf(paging.zoom) : -1
  const zoomTo = (by: number): void => {
    const next = zooms[zoomAt + by]
    if (next !== undefined) paging?.onZoom(next)
  }
  return (
    <div className={styles.bar}>
      {paging && (
        <>
          <IconButton
            label={t('sources.previousPage')}
            icon={ChevronUp}
            aria-disabled={paging.page <= 1}
            onClick={() => paging.page > 1 && paging.onPage(paging.page - 1)}
          />
          <IconButton
            label={t('sources.nextPage')}
            icon={ChevronDown}
            aria-disabled={isLastPage}
            onClick={() => !isLastPage && paging.onPage(paging.page + 1)}
          />
          <span className={styles.where} role="status">
            {paging.pages === undefined
              ? t('sources.page', { page: paging.page })
              : t('sources.pageOf', { page: paging.page, pages: paging.pages })}
          </span>
          <span className={styles.zoom}>
            <IconButton
              label={t('sources.zoomOut')}
              icon={ZoomOut}
              aria-disabled={zoomAt <= 0}
              onClick={() => zoomTo(-1)}
            />
            <IconButton
              label={t('sources.zoomIn')}
              icon={ZoomIn}
              aria-disabled={zoomAt === zooms.length - 1}
              onClick={() => zoomTo(1)}
            />
          </span>
        </>
      )}
      {place && <span className={styles.where}>{placeOf(place, t)}</span>}
      <span className={styles.passages}>{t('sources.passageOf', { n: at + 1, all: count })}</span>
      <IconButton
        label={t('sources.previousPassage')}
        icon={ChevronLeft}
        aria-disabled={at === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        label={t('sources.nextPassage')}
        icon={ChevronRight}
        aria-disabled={at === count - 1}
        onClick={() => onStep(1)}
      />
    </div>
  )
}
