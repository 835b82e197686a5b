import { limits } from '@parley/contract/limits/shared'
import { useQueryClient } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type Ref,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useChannels } from '../../data/channels/use-channels'
import type { MessageSearch } from '../../data/search/use-message-search'
import { useUser } from '../../data/session/stored-session'
import { useStorageLoss } from '../../data/vault/storage-loss'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { TextInput } from '../../ui/field'
import { lazyExtra } from '../../ui/lazy-part'
import { Skeleton } from '../../ui/skeleton'
import { toast } from '../../ui/toast'
import styles from './channel-list.module.css'
import type { RowsHandle } from './channel-rows'
import { ChatsMenu } from './chats-menu'
import { ChannelRows } from './later-channel-parts'
import { listEntries, withMessages } from './list-entries'
import { SearchAnnouncer } from './search-announcer'
import type { SearchState } from './search-runner'
import { useToday } from './use-today'

const MigrationBanner = lazyExtra(() => import('./migration-banner'))
const StorageLossNotice = lazyExtra(() => import('./storage-loss-notice'))
const SearchRunner = lazyExtra(() => import('./search-runner'))

/** The Chats section of the sidebar: title, search, menu and the list. */
export function ChannelList({ onSelect }: { onSelect: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState<string>()
  const toggle = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const rows = useRef<RowsHandle>(null)
  const isSearching = query !== undefined
  const user = useUser()
  const loss = useStorageLoss(user?.id)

  function clear(): void {
    setQuery('')
    field.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      // Escape would close the drawer too.
      event.stopPropagation()
      if (query !== '') return clear()
      setQuery(undefined)
      toggle.current?.focus()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'ArrowDown') rows.current?.focusFirst()
    else if (query?.trim()) rows.current?.openFirst()
  }

  return (
    <section className={styles.section} aria-label={t('channels.title')}>
      <div className={styles.title}>
        <h2>{t('channels.title')}</h2>
        <IconButton
          ref={toggle}
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
            ref={field}
            autoFocus
            type="search"
            // The browser would store it for autocompletion, in plain text.
            autoComplete="off"
            spellCheck={false}
            aria-label={t('channels.search')}
            placeholder={t('channels.searchHint')}
            maxLength={limits.search.maxQueryLength}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      {loss && (
        <Suspense>
          <StorageLossNotice loss={loss} />
        </Suspense>
      )}
      {/* Only an account has chats in the cloud. */}
      {!isSearching && user && <MigrationBanner />}
      <ListBody
        isLost={loss !== undefined}
        query={query}
        rows={rows}
        onSelect={onSelect}
        onLeave={() => field.current?.focus()}
        onEscape={clear}
      />
    </section>
  )
}

type BodyProps = {
  isLost: boolean
  query: string | undefined
  rows: Ref<RowsHandle>
  onSelect: () => void
  onLeave: () => void
  onEscape: () => void
}

/** The state until the search is loaded. */
const searching: MessageSearch = {
  ...{ hits: [], isSearching: true, progress: undefined, hasMore: false, error: undefined },
  ...{ loadMore: () => undefined, retry: () => undefined },
}

/** `query`: undefined while the search is closed. */
function ListBody({ isLost, query: typed, rows, ...actions }: BodyProps) {
  const query = typed ?? ''
  const { t } = useTranslation()
  const { channels, isPending, error, inCloud } = useChannels()
  const today = useToday()
  const [found, setFound] = useState<SearchState>()
  const search = query.trim() === '' ? undefined : found ? found.search : searching
  const names = useMemo(() => listEntries(channels, query, today), [channels, query, today])
  const entries = search ? withMessages(names, search) : names
  const scrollOffset = useRef(0)
  useErrorToast(error)

  const runner = typed !== undefined && (
    <Suspense>
      <SearchRunner query={query} channels={channels} inCloud={inCloud} onFound={setFound} />
    </Suspense>
  )

  if (error && channels.length === 0) return <LoadFailed title={t('channels.loadFailed')} />
  if (isPending) return <LoadingRows />
  // An evicted list is not an empty one: the notice above explains it.
  if (channels.length === 0) return isLost ? null : <Empty title={t('channels.empty')} />
  return (
    <>
      {runner}
      {entries.length === 0 ? (
        <Empty title={t('channels.noResults')} />
      ) : (
        <>
          {error && <LoadFailed title={t('channels.cloudUnknown')} />}
          <SearchAnnouncer search={search} />
          <Suspense fallback={<LoadingRows />}>
            <ChannelRows
              ref={rows}
              entries={entries}
              isSearching={query.trim() !== ''}
              search={search}
              today={today}
              scrollOffset={scrollOffset}
              {...actions}
            />
          </Suspense>
        </>
      )}
    </>
  )
}

function useErrorToast(error: unknown) {
  const { language } = useTranslation()
  useEffect(() => {
    const message = errorMessage(error, language)
    if (message) toast.error(message)
  }, [error, language])
}

function LoadFailed({ title }: { title: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const retry = (
    <Button size="small" onClick={() => void queries.refetchQueries({ queryKey: ['channels'] })}>
      {t('channels.retry')}
    </Button>
  )
  return <Empty title={title} action={retry} />
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
