import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useModelHabits } from '../../data/models/model-habits'
import { useTranslation } from '../../i18n/interface-language'
import { forwardKey } from '../../lib/direction'
import { EmptyState } from '../../ui/empty-state'
import { TextInput } from '../../ui/field'
import { Tabs } from '../../ui/tabs'
import { useMediaQuery } from '../../ui/use-media-query'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { ModelDetails } from './model-details'
import { type ModelEntry, type ModelOrder, type ModelTab, modelEntries, modelTabs } from './model-entries'
import { ModelRows } from './model-rows'
import styles from './models.module.css'
import { OrderMenu } from './order-menu'

type Props = { models: readonly Model[]; currentId: string; onChoose: (model: Model) => void }
type Row = Extract<ModelEntry, { kind: 'model' }>

/** The number of rows that Page Up and Page Down move. */
const pageRows = 7

/**
 * The picker's search, tabs, order and list. Arrow keys move the active row, Enter chooses it, the right arrow shows
 * its details.
 */
export function ModelPicker({ models, currentId, onChoose }: Props) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [tab, setTab] = useState<ModelTab>('all')
  const [order, setOrder] = useState<ModelOrder>('owner')
  const [activeId, setActiveId] = useState<string>()
  const [hasDetails, setHasDetails] = useState(false)
  // Without focus on a phone, whose keyboard would cover the list.
  const canHover = useMediaQuery('(hover: hover)')
  const field = useRef<HTMLInputElement>(null)
  const gridId = useId()
  // After the dialog has stored the element to return the focus to.
  useEffect(() => {
    if (canHover) field.current?.focus()
  }, [canHover])
  const { favorites, recent } = useModelHabits()
  const entries = useMemo(
    () => modelEntries(models, { query, tab, order, currentId, favorites, recent }),
    [models, query, tab, order, currentId, favorites, recent],
  )
  const rows = useMemo(() => entries.filter((entry): entry is Row => entry.kind === 'model'), [entries])
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ id }) => id === activeId),
  )
  const active = rows[activeIndex]?.model

  /** Another list starts at its top. */
  function narrow(change: () => void) {
    change()
    setActiveId(undefined)
  }

  function showDetails(model: Model) {
    setActiveId(model.id)
    setHasDetails(true)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { selectionStart, value } = event.currentTarget
    const last = rows.length - 1
    const target = {
      ArrowDown: activeIndex >= last ? 0 : activeIndex + 1,
      ArrowUp: activeIndex <= 0 ? last : activeIndex - 1,
      PageDown: Math.min(last, activeIndex + pageRows),
      PageUp: Math.max(0, activeIndex - pageRows),
      Home: 0,
      End: last,
    }[event.key]
    if (target !== undefined) setActiveId(rows[target]?.id)
    else if (event.key === 'Enter' && active) onChoose(active)
    else if (event.key === forwardKey() && active && selectionStart === value.length) showDetails(active)
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.picker} tabIndex={-1} data-autofocus="">
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <TextInput
          ref={field}
          type="search"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label={searchHint()}
          aria-haspopup="grid"
          aria-expanded="true"
          aria-controls={gridId}
          aria-activedescendant={active ? `${gridId}-${active.id}` : undefined}
          aria-autocomplete="list"
          placeholder={searchHint()}
          maxLength={limits.search.maxQueryLength}
          value={query}
          onChange={({ target }) => narrow(() => setQuery(target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <Tabs
        label={t('models.tabs')}
        tabs={modelTabs.map((id) => ({ id, label: t(`models.${id}`) }))}
        selected={tab}
        onSelect={(next) => narrow(() => setTab(next))}
        aside={<OrderMenu order={order} onChange={(next) => narrow(() => setOrder(next))} />}
      >
        <div className={styles.panes}>
          {rows.length === 0 ? (
            <div className={styles.grid} id={gridId}>
              <EmptyState title={t('models.none')} />
            </div>
          ) : (
            <ModelRows
              gridId={gridId}
              entries={entries}
              activeId={active?.id}
              currentId={currentId}
              onChoose={onChoose}
              onDetails={showDetails}
            />
          )}
          {hasDetails && active && (
            <ModelDetails
              model={active}
              onChoose={onChoose}
              onBack={() => {
                setHasDetails(false)
                field.current?.focus()
              }}
            />
          )}
        </div>
      </Tabs>
      <VisuallyHidden>
        <span role="status">{t('models.found', { count: rows.length })}</span>
      </VisuallyHidden>
    </div>
  )

  function searchHint(): string {
    const count = webLimits.models.manyModels
    return models.length < count ? t('models.search', { count: models.length }) : t('models.searchMany', { count })
  }
}
