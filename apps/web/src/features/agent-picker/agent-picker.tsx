import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { product } from '@parley/contract/product'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ChosenAgent } from '../../data/agents/chosen-agent'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { TextInput } from '../../ui/field'
import { Skeleton } from '../../ui/skeleton'
import { Tabs } from '../../ui/tabs'
import { useMediaQuery } from '../../ui/use-media-query'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './agent-picker.module.css'
import { AgentRows } from './agent-rows'
import { type PickerEntry, type PickerRow, type PickerTab, pickerTabs } from './picker-entries'
import { usePickerLists } from './use-picker-lists'

type Props = { currentId: string | undefined; onChoose: (agent: ChosenAgent | undefined) => void; onClose: () => void }

/** The number of rows that Page Up and Page Down move. */
const pageRows = 7
const noEntries: readonly PickerEntry[] = []

/**
 * The picker's search, tabs and list. The focus stays in the search: arrow keys move the active row, Enter chooses it.
 */
export function AgentPicker({ currentId, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [{ tab, page }, setPlace] = useState<{ tab: PickerTab; page: number }>({ tab: 'product', page: 0 })
  const [activeId, setActiveId] = useState<string>()
  // Without focus on a phone, whose keyboard would cover the list.
  const canHover = useMediaQuery('(hover: hover)')
  const field = useRef<HTMLInputElement>(null)
  const gridId = useId()
  // After the dialog has stored the element to return the focus to.
  useEffect(() => {
    if (canHover) field.current?.focus()
  }, [canHover])
  const { entries = noEntries, isSearching, pages, ...state } = usePickerLists({ query, tab, page })
  const isLoaded = entries !== noEntries
  const rows = entries.filter((entry): entry is PickerRow => entry.kind === 'agent')
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ id }) => id === activeId),
  )
  const active = rows[activeIndex]

  /** Another list starts at its top. */
  function show(change: () => void) {
    change()
    setActiveId(undefined)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
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
    else if (event.key === 'Enter' && active) onChoose(active.agent)
    else return
    event.preventDefault()
  }

  const list = isLoaded ? (
    <AgentRows gridId={gridId} entries={entries} activeId={active?.id} currentId={currentId} onChoose={onChoose} />
  ) : state.hasFailed ? (
    <div className={styles.problem} role="alert">
      <EmptyState
        title={t('agentPicker.failed')}
        action={<Button onClick={state.retry}>{t('agentPicker.retry')}</Button>}
      />
    </div>
  ) : (
    <Loading />
  )

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
          aria-label={t('agentPicker.search')}
          aria-haspopup="grid"
          aria-expanded="true"
          aria-controls={gridId}
          aria-activedescendant={active ? `${gridId}-${active.id}` : undefined}
          aria-autocomplete="list"
          placeholder={t('agentPicker.search')}
          maxLength={limits.agents.maxSearch}
          value={query}
          onChange={({ target }) => show(() => setQuery(target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <Tabs
        label={t('agentPicker.tabs')}
        tabs={pickerTabs.map((id) => ({ id, label: t(`agentPicker.${id}`, { product: product.name }) }))}
        selected={tab}
        onSelect={(next) =>
          show(() => {
            setPlace({ tab: next, page: 0 })
            setQuery('')
          })
        }
        aside={
          <Link to="/assistants" className={styles.browse} onClick={onClose}>
            {t('agentPicker.browse')}
          </Link>
        }
      >
        <div className={styles.pane} data-searching={isSearching || undefined}>
          {isLoaded && isSearching && rows.length === 0 ? (
            <div className={styles.problem} id={gridId}>
              <EmptyState title={t('agentPicker.none')} />
            </div>
          ) : (
            list
          )}
          {isLoaded && !isSearching && isEmpty(entries, tab) && (
            <p className={styles.empty}>{t(`agentPicker.${emptyTexts[tab]}`)}</p>
          )}
        </div>
        {pages && (
          <nav className={styles.pages} aria-label={t('agentPicker.pages')}>
            <Button size="small" disabled={page === 0} onClick={() => show(() => setPlace({ tab, page: page - 1 }))}>
              {t('agentPicker.previous')}
            </Button>
            <span>{t('agentPicker.page', { page: page + 1 })}</span>
            <Button
              size="small"
              disabled={!isLoaded || !pages.hasNext}
              onClick={() => show(() => setPlace({ tab, page: page + 1 }))}
            >
              {t('agentPicker.next')}
            </Button>
          </nav>
        )}
      </Tabs>
      <VisuallyHidden>
        <span role="status">{isLoaded && rows.length > 0 && t('agentPicker.found', { count: rows.length })}</span>
      </VisuallyHidden>
    </div>
  )
}

const emptyTexts = { product: 'noneOfProduct', community: 'noneInCommunity', mine: 'noneOfMine' } as const

/** The list has only the general assistant. */
const isEmpty = (entries: readonly PickerEntry[], tab: PickerTab): boolean =>
  entries.filter(({ kind }) => kind === 'agent').length === 1 && tab in emptyTexts

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status" aria-label={t('agentPicker.loading')}>
      {['52%', '61%', '44%', '57%', '49%', '63%'].map((width) => (
        <div key={width}>
          <Skeleton width="40px" height="40px" />
          <Skeleton width={width} height="16px" />
        </div>
      ))}
    </div>
  )
}
