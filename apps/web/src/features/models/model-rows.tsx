import '../../i18n/later-texts'
import type { Model } from '@parley/contract/models'
import { Check, Info } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import { useTranslation } from '../../i18n/interface-language'
import { IconButton } from '../../ui/button'
import { FamilyMark } from './family-mark'
import { ModelBadges } from './model-badges'
import type { ModelEntry } from './model-entries'
import { ModelPrice } from './model-price'
import styles from './models.module.css'

type Props = {
  gridId: string
  entries: readonly ModelEntry[]
  activeId: string | undefined
  currentId: string
  onChoose: (model: Model) => void
  onDetails: (model: Model) => void
}

const rowHeight = 58

/** The virtualised rows. The focus stays in the search; Enter chooses the active row. */
export function ModelRows({ gridId, entries, activeId, currentId, onChoose, onDetails }: Props) {
  const { t } = useTranslation()
  const list = useRef<VListHandle>(null)
  const activeIndex = entries.findIndex(({ id }) => id === activeId)

  useEffect(() => {
    // Scrolls the heading above the first row into view as well.
    if (activeIndex >= 0) list.current?.scrollToIndex(activeIndex <= 1 ? 0 : activeIndex, { align: 'nearest' })
  }, [activeIndex])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    <div role="grid" id={gridId} aria-label={t('models.title')} aria-rowcount={entries.length} className={styles.grid}>
      <VList
        ref={list}
        data={entries}
        itemSize={rowHeight}
        keepMounted={activeIndex < 0 ? [] : [activeIndex]}
        className={styles.scroll}
      >
        {(entry, index) =>
          entry.kind === 'heading' ? (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div key={entry.id} role="row" aria-rowindex={index + 1} className={styles.heading}>
              {/* biome-ignore lint/a11y/useSemanticElements: as above */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
              <span role="rowheader">{entry.section ? t(`models.${sections[entry.section]}`) : entry.owner}</span>
            </div>
          ) : (
            <ModelRow
              key={entry.id}
              rowId={`${gridId}-${entry.id}`}
              index={index}
              model={entry.model}
              isActive={entry.id === activeId}
              isCurrent={entry.id === currentId}
              onChoose={onChoose}
              onDetails={onDetails}
            />
          )
        }
      </VList>
    </div>
  )
}

const sections = { current: 'current', favorites: 'favorites', recent: 'recent', rest: 'restByCost' } as const

type RowProps = { rowId: string; index: number; model: Model; isActive: boolean; isCurrent: boolean } & Pick<
  Props,
  'onChoose' | 'onDetails'
>

function ModelRow({ rowId, index, model, isActive, isCurrent, onChoose, onDetails }: RowProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
    <div
      role="row"
      id={rowId}
      aria-rowindex={index + 1}
      aria-selected={isCurrent}
      data-active={isActive || undefined}
      className={styles.row}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="gridcell" className={styles.face} onClick={() => onChoose(model)}>
        <FamilyMark model={model} />
        <span className={styles.words}>
          <span className={styles.name}>
            <b>{model.name}</b>
            <ModelBadges model={model} />
            {isCurrent && <Check className={styles.check} aria-hidden="true" />}
          </span>
          <span className={styles.line}>{firstSentence(model.description) ?? model.id}</span>
        </span>
        <ModelPrice model={model} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="gridcell">
        <IconButton
          label={t('models.detailsOf', { model: model.name })}
          icon={Info}
          tabIndex={isActive ? 0 : -1}
          onClick={() => onDetails(model)}
        />
      </div>
    </div>
  )
}

/** The description as plain text: gateways write paragraphs with Markdown links. */
function firstSentence(description: string | undefined): string | undefined {
  const plain = description
    ?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return plain ? (/^.{20,}?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain) : undefined
}
