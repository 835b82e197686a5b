import { Suspense } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { lazyExtra } from '../../ui/lazy-part'
import { type ChatHome, homeIcons } from './storage-pick'

const SearchNote = lazyExtra(() => import('./search-note'))

type Props = {
  home: ChatHome
  /** The questions search the web. */
  isSearching: boolean
}

/** What becomes of the chat that the composer writes to. */
export function HomePromise({ home, isSearching }: Props) {
  const { t } = useTranslation()
  const Icon = homeIcons[home]
  return (
    <>
      <Icon aria-hidden="true" />
      <span>
        {t(promises[home])} <Suspense>{isSearching && home !== 'cloud' && <SearchNote />}</Suspense>
      </span>
    </>
  )
}

const promises = {
  local: 'chat.localPromise',
  cloud: 'chat.cloudPromise',
  temporary: 'chat.temporaryPromise',
} as const
