import type { Channel } from '@parley/contract/channels'
import {
  type KeyboardEvent,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { VList, type VListHandle } from 'virtua'
import type { MessageSearch } from '../../data/search/use-message-search'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectedChannelId, useTargetMessage } from '../../lib/selected-channel'
import { Button } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { ContextMenu } from '../../ui/menu'
import styles from './channel-list.module.css'
import { ChannelRow } from './channel-row'
import { isStop, type ListEntry } from './list-entries'
import { SearchNote, SearchProgress } from './search-note'
import { useChannelMenu } from './use-channel-commands'

// It is in the chunk of the search.
const MessageHit = lazyExtra(async () => ({ default: (await import('./search-runner')).MessageHit }))

export type RowsHandle = { focusFirst: () => void; openFirst: () => void }

type Props = {
  ref: Ref<RowsHandle>
  entries: ListEntry[]
  isSearching: boolean
  search: MessageSearch | undefined
  today: Date
  scrollOffset: { current: number }
  onSelect: () => void
  /** Arrow up on the first result. */
  onLeave: () => void
  onEscape: () => void
}

/** The virtualised rows of the sidebar's list. Only one is in the tab order; arrow keys reach the others. */
export function ChannelRows({
  ref,
  entries,
  isSearching,
  search,
  today,
  scrollOffset,
  onSelect,
  onLeave,
  onEscape,
}: Props) {
  const { t } = useTranslation()
  const selectedId = useSelectedChannelId()
  const target = useTargetMessage()
  const currentId = target && `message:${selectedId}/${target.mId}`
  const menuOf = useChannelMenu('row')
  const list = useRef<VListHandle>(null)
  const root = useRef<HTMLDivElement>(null)
  const frame = useRef(0)
  const [menu, setMenu] = useState<{ channel: Channel; at: { x: number; y: number } }>()
  const [focusedId, setFocusedId] = useState<string>()
  const openMenu = useCallback((channel: Channel, at: { x: number; y: number }) => setMenu({ channel, at }), [])

  const first = entries.findIndex(isStop)
  const tabStop =
    [focusedId, selectedId].find((id) => id !== undefined && entries.some((entry) => entry.id === id)) ??
    entries[first]?.id
  const tabStopIndex = entries.findIndex((entry) => entry.id === tabStop)

  // A search starts at its first result; leaving it restores the list's scroll offset.
  useEffect(() => {
    list.current?.scrollTo(isSearching ? 0 : scrollOffset.current)
  }, [isSearching, scrollOffset])

  /** The row may be rendered only after the scroll. */
  function reach(index: number, act: (control: HTMLElement) => void): void {
    const id = entries[index]?.id
    if (id === undefined) return
    setFocusedId(id)
    list.current?.scrollToIndex(index, { align: 'nearest' })
    // While a key is held down only the last row gets the focus.
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const control = controlOf(root.current, id)
      if (control) act(control)
    })
  }
  const focus = (index: number): void => reach(index, (control) => control.focus({ preventScroll: true }))

  useImperativeHandle(ref, () => ({
    focusFirst: () => focus(first),
    openFirst: () => reach(first, (control) => control.click()),
  }))

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape' && isSearching) {
      // Escape would close the drawer too.
      event.stopPropagation()
      return onEscape()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    let next = entries.findIndex((entry) => entry.id === focusedId) + step
    for (let entry = entries[next]; entry && !isStop(entry); entry = entries[next]) next += step
    if (entries[next]) event.preventDefault()
    if (entries[next]) focus(next)
    else if (step < 0 && isSearching) onLeave()
  }

  function draw(entry: ListEntry) {
    const isTabStop = entry.id === tabStop
    switch (entry.kind) {
      case 'heading':
        return (
          <h3 key={entry.id} className={styles.group}>
            {t(`channels.${entry.heading}`)}
            {entry.heading === 'messages' && <SearchProgress search={search} />}
          </h3>
        )
      case 'channel':
        return (
          <ChannelRow
            key={entry.id}
            channel={entry.channel}
            isSelected={entry.id === selectedId}
            isTabStop={isTabStop}
            onSelect={onSelect}
            onOpenMenu={openMenu}
          />
        )
      case 'message':
        return (
          <Suspense key={entry.id}>
            <MessageHit
              entryId={entry.id}
              hit={entry.hit}
              today={today}
              isCurrent={entry.id === currentId}
              isTabStop={isTabStop}
              onSelect={onSelect}
            />
          </Suspense>
        )
      case 'note':
        return <SearchNote key={entry.id} note={entry.note} search={search} />
      case 'more':
        return (
          <div key={entry.id} className={styles.more} data-entry-id={entry.id}>
            <Button size="small" variant="quiet" tabIndex={isTabStop ? 0 : -1} onClick={search?.loadMore}>
              {t('channels.showMore')}
            </Button>
          </div>
        )
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links inside, which are the controls
    <div
      ref={root}
      className={styles.list}
      onKeyDown={onKeyDown}
      onFocus={(event) => setFocusedId(entryIdAt(event.target) ?? focusedId)}
    >
      <VList
        ref={list}
        data={entries}
        itemSize={34}
        keepMounted={tabStopIndex < 0 ? [] : [tabStopIndex]}
        className={styles.scroll}
        onScroll={(offset) => {
          if (!isSearching) scrollOffset.current = offset
        }}
      >
        {draw}
      </VList>
      {menu && <ContextMenu at={menu.at} items={menuOf(menu.channel)} onClose={() => setMenu(undefined)} />}
    </div>
  )
}

const controlOf = (root: HTMLElement | null, entryId: string) =>
  root?.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(entryId)}"] :is(a, button)`)
const entryIdAt = (target: Element): string | undefined =>
  target.closest<HTMLElement>('[data-entry-id]')?.dataset.entryId
