import '../../i18n/later-texts'
import { ChevronRight, Pin, Trash2 } from 'lucide-react'
import type { CSSProperties } from 'react'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { IconButton } from '../../ui/button'
import styles from './outline.module.css'
import type { OutlineRow } from './outline-rows'

type Props = {
  id: string
  row: OutlineRow
  isActive: boolean
  /** The reader is at this question. */
  isCurrent: boolean
  onGo: () => void
  onFold: (isOpen: boolean) => void
  /** Undefined where the person may not delete it. */
  onRemove: (() => void) | undefined
}

/** Deeper rows are not indented any further. */
const maxIndent = 6

export function OutlineItem({ id, row, isActive, isCurrent, onGo, onFold, onRemove }: Props) {
  const { t } = useTranslation()
  const { entry, kind, level, place, of, isOpen } = row
  const style = { '--indent': Math.min(level, maxIndent) - 1 } as CSSProperties
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="treeitem"
      className={styles.row}
      style={style}
      data-kind={kind}
      data-nested={level > 1 || undefined}
      data-active={isActive || undefined}
      data-here={(kind === 'version' && row.isHere) || undefined}
      aria-label={nameOf(row, t)}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={isOpen}
      aria-selected={isActive}
      aria-current={isCurrent || undefined}
      onClick={onGo}
    >
      {kind === 'question' && <span className={styles.number}>{row.number}</span>}
      <span className={styles.text} dir="auto">
        {entry.text || t('outline.noText')}
      </span>
      {entry.isPinned && kind === 'question' && <Pin className={styles.pin} aria-hidden="true" />}
      {kind === 'version' && (
        <span className={styles.end}>
          <span className={styles.count}>
            {row.isHere ? t('outline.here') : t('outline.answers', { count: row.size })}
          </span>
          {onRemove && (
            <IconButton
              className={styles.remove}
              label={t('outline.delete')}
              icon={Trash2}
              size="small"
              tabIndex={isActive ? 0 : -1}
              onClick={(event) => {
                event.stopPropagation()
                onRemove()
              }}
            />
          )}
        </span>
      )}
      {isOpen !== undefined && (
        <button
          type="button"
          className={styles.fold}
          data-open={isOpen || undefined}
          aria-label={t('outline.versions')}
          aria-expanded={isOpen}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation()
            onFold(!isOpen)
          }}
        >
          {kind === 'question' && row.version && (
            <span>
              {row.version.at}/{row.version.of}
            </span>
          )}
          <ChevronRight aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

/** What is read out: also what the row shows by a mark alone. */
function nameOf(row: OutlineRow, t: Translate): string {
  const { entry } = row
  return [
    ...(row.kind === 'question' ? [row.number] : []),
    entry.text || t('outline.noText'),
    ...(row.kind === 'question' && row.version ? [t('outline.version', row.version)] : []),
    ...(row.kind === 'version' ? [row.isHere ? t('outline.here') : t('outline.answers', { count: row.size })] : []),
    ...(entry.author ? [entry.author.name] : []),
    ...(entry.isPinned ? [t('outline.pinned')] : []),
  ].join(', ')
}
