import '../../i18n/later-texts'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useTranslation } from '../../i18n/interface-language'
import { backwardKey, forwardKey } from '../../lib/direction'
import { useFocusInPanel } from '../../ui/side-panel'
import styles from './outline.module.css'
import { OutlineItem } from './outline-item'
import type { OutlineRow } from './outline-rows'
import type { OutlineActions } from './use-outline-actions'
import { useQuestionInView } from './use-question-in-view'

type Props = {
  /** The tree itself. */
  tree: RefObject<HTMLDivElement | null>
  rows: readonly OutlineRow[]
  actions: OutlineActions
  onFold: (row: OutlineRow, isOpen: boolean) => void
}

/**
 * The rows of the outline: a virtualised tree. The focus stays on the tree itself, which names its active row: a row
 * that is scrolled away would lose it.
 */
export function OutlineList({ tree, rows, actions, onFold }: Props) {
  const { t } = useTranslation()
  const virtualizer = useRef<VirtualizerHandle>(null)
  const idPrefix = useId()
  const currentId = useQuestionInView()
  const [chosenId, setChosenId] = useState<string>()
  useFocusInPanel(tree)

  const chosen = rows.findIndex(({ id }) => id === chosenId)
  const current = rows.findIndex((row) => row.kind === 'question' && row.entry.mId === currentId)
  const lastShown = rows.findLastIndex(({ entry }) => entry.isShown)
  const active = [chosen, current, lastShown].find((index) => index >= 0) ?? 0
  const activeRow = rows[active]
  const domId = (row: OutlineRow): string => `${idPrefix}${row.id}`

  // Opens where the reader is, and follows them, but for the list that is being looked at.
  const isPlaced = useRef(false)
  const follow = useEffectEvent(() => {
    if (current < 0 || (isPlaced.current && tree.current?.matches(':hover, :focus'))) return
    virtualizer.current?.scrollToIndex(current, { align: isPlaced.current ? 'nearest' : 'center' })
    isPlaced.current = true
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question that is read is the reason to scroll
  useEffect(() => follow(), [currentId])

  const choose = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!row) return
    setChosenId(row.id)
    virtualizer.current?.scrollToIndex(rows.indexOf(row), { align: 'nearest' })
  }
  const run = (key: string): boolean => {
    if (!activeRow) return false
    const { isOpen, level } = activeRow
    switch (key) {
      case 'ArrowDown':
        choose(active + 1)
        return true
      case 'ArrowUp':
        choose(active - 1)
        return true
      case 'Home':
        choose(0)
        return true
      case 'End':
        choose(rows.length - 1)
        return true
      case 'Enter':
      case ' ':
        actions.go(activeRow.entry)
        return true
      case 'Delete':
        if (activeRow.kind === 'version' && actions.canRemove(activeRow.entry)) actions.remove(activeRow.entry)
        return true
      case forwardKey():
        if (isOpen === false) onFold(activeRow, true)
        else if (isOpen) choose(active + 1)
        return true
      case backwardKey():
        if (isOpen) onFold(activeRow, false)
        else if (level > 1) choose(rows.slice(0, active).findLastIndex((row) => row.level < level))
        return true
      default:
        return false
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== tree.current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (run(event.key)) event.preventDefault()
  }

  return (
    <div
      ref={tree}
      role="tree"
      tabIndex={0}
      data-autofocus=""
      className={styles.tree}
      aria-label={t('outline.list')}
      aria-activedescendant={activeRow && domId(activeRow)}
      onKeyDown={onKeyDown}
    >
      <Virtualizer ref={virtualizer} scrollRef={tree} data={rows} keepMounted={[active]}>
        {(row) => (
          <OutlineItem
            key={row.id}
            id={domId(row)}
            row={row}
            isActive={row === activeRow}
            isCurrent={row.kind === 'question' && row.entry.mId === currentId}
            onGo={() => {
              setChosenId(undefined)
              actions.go(row.entry)
            }}
            onFold={(isOpen) => {
              setChosenId(row.id)
              onFold(row, isOpen)
            }}
            onRemove={
              row.kind === 'version' && actions.canRemove(row.entry) ? () => actions.remove(row.entry) : undefined
            }
          />
        )}
      </Virtualizer>
    </div>
  )
}
