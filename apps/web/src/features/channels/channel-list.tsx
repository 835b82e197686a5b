import type { Channel } from '@parley/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VList, type VListHandle } from 'virtua'
import { useChannels } from '../../data/channels/use-channels'
import { errorMessage } from '../../lib/error-message'
import { useSelectedChannelId } from '../../lib/selected-channel'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { TextInput } from '../../ui/field'
import { ContextMenu } from '../../ui/menu'
import { Skeleton } from '../../ui/skeleton'
import { toast } from '../../ui/toast'
import styles from './channel-list.module.css'
import { ChannelRow } from './channel-row'
import { ChatsMenu } from './chats-menu'
import { type ListEntry, listEntries } from './list-entries'
import { MigrationBanner } from './migration-banner'
import { useChannelMenu } from './use-channel-commands'
import { useToday } from './use-today'

/** The Chats section of the sidebar: title, search, menu and the list, of which only what is seen is in the page. */
export function ChannelList({ onSelect }: { onSelect: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState<string>()
  const isSearching = query !== undefined
  return (
    <section className={styles.section} aria-label={t('channels.title')}>
      <div className={styles.title}>
        <h2>{t('channels.title')}</h2>
        <IconButton
          label={t(isSearching ? 'channels.closeSearch' : 'channels.search')}
          icon={isSearching ? X : Search}
          size="small"
          pressed={isSearching}
          onClick={() => setQuery(isSearching ? undefined : '')}
        />
        <ChatsMenu />
      </div>
      {isSearching && (
        <div className={styles.search}>
          <TextInput
            autoFocus
            type="search"
            aria-label={t('channels.search')}
            placeholder={t('channels.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              setQuery(undefined)
            }}
          />
        </div>
      )}
      <MigrationBanner />
      <ListBody query={query ?? ''} onSelect={onSelect} />
    </section>
  )
}

function ListBody({ query, onSelect }: { query: string; onSelect: () => void }) {
  const { t } = useTranslation()
  const { channels, isPending, error } = useChannels()
  const today = useToday()
  const entries = useMemo(() => listEntries(channels, query, today), [channels, query, today])
  const place = useRef(0)
  useErrorToast(error)

  if (error && channels.length === 0) return <LoadFailed />
  if (isPending) return <LoadingRows />
  if (channels.length === 0) return <Empty title={t('channels.empty')} />
  if (entries.length === 0) return <Empty title={t('channels.noResults')} />
  return <Rows entries={entries} isSearching={query.trim() !== ''} place={place} onSelect={onSelect} />
}

type RowsProps = { entries: ListEntry[]; isSearching: boolean; place: { current: number }; onSelect: () => void }

function Rows({ entries, isSearching, place, onSelect }: RowsProps) {
  const { t } = useTranslation()
  const selectedId = useSelectedChannelId()
  const menuOf = useChannelMenu('row')
  const list = useRef<VListHandle>(null)
  const root = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<{ channel: Channel; at: { x: number; y: number } }>()
  const [focusedId, setFocusedId] = useState<string>()
  const openMenu = useCallback((channel: Channel, at: { x: number; y: number }) => setMenu({ channel, at }), [])

  const firstId = entries.find((entry) => entry.kind === 'channel')?.id
  const tabStop = [focusedId, selectedId].find((id) => id !== undefined && entries.some((entry) => entry.id === id)) ?? firstId
  const tabStopIndex = entries.findIndex((entry) => entry.id === tabStop)

  // A search shows its first results; leaving it brings the list back to where it was.
  useEffect(() => {
    list.current?.scrollTo(isSearching ? 0 : place.current)
  }, [isSearching, place])

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const from = entries.findIndex((entry) => entry.id === focusedId)
    let next = from + step
    while (entries[next]?.kind === 'heading') next += step
    const entry = entries[next]
    if (!entry) return
    event.preventDefault()
    setFocusedId(entry.id)
    list.current?.scrollToIndex(next, { align: 'nearest' })
    // The row may be drawn only after the scroll.
    requestAnimationFrame(() => linkOf(root.current, entry.id)?.focus({ preventScroll: true }))
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links inside, which are the controls
    <div ref={root} className={styles.list} onKeyDown={onKeyDown} onFocus={(event) => setFocusedId(channelIdAt(event.target) ?? focusedId)}>
      <VList
        ref={list}
        data={entries}
        itemSize={34}
        keepMounted={tabStopIndex < 0 ? [] : [tabStopIndex]}
        className={styles.scroll}
        onScroll={(offset) => {
          if (!isSearching) place.current = offset
        }}
      >
        {(entry) =>
          entry.kind === 'heading' ? (
            <h3 key={entry.id} className={styles.group}>
              {t(`channels.${entry.heading}`)}
            </h3>
          ) : (
            <ChannelRow
              key={entry.id}
              channel={entry.channel}
              isSelected={entry.id === selectedId}
              isTabStop={entry.id === tabStop}
              onSelect={onSelect}
              onOpenMenu={openMenu}
            />
          )
        }
      </VList>
      {menu && <ContextMenu at={menu.at} items={menuOf(menu.channel)} onClose={() => setMenu(undefined)} />}
    </div>
  )
}

function useErrorToast(error: unknown) {
  const { i18n } = useTranslation()
  useEffect(() => {
    const message = errorMessage(error, i18n.language)
    if (message) toast.error(message)
  }, [error, i18n])
}

function LoadFailed() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const retry = (
    <Button size="small" onClick={() => void queries.refetchQueries()}>
      {t('channels.retry')}
    </Button>
  )
  return <Empty title={t('channels.loadFailed')} action={retry} />
}

function Empty(props: ComponentProps<typeof EmptyState>) {
  return (
    <div className={styles.empty}>
      <EmptyState {...props} />
    </div>
  )
}

function LoadingRows() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status" aria-label={t('channels.loading')}>
      {['72%', '54%', '81%', '63%', '47%', '76%'].map((width) => (
        <Skeleton key={width} width={width} height="14px" />
      ))}
    </div>
  )
}

const linkOf = (root: HTMLElement | null, channelId: string) => root?.querySelector<HTMLElement>(`[data-channel-id="${CSS.escape(channelId)}"] a`)
const channelIdAt = (target: Element): string | undefined => target.closest<HTMLElement>('[data-channel-id]')?.dataset.channelId
