import { useTranslation } from '../../i18n/interface-language'
import { type ChatHome, homeIcons } from './storage-pick'

/** What becomes of a chat that has this home. */
export function HomePromise({ home }: { home: ChatHome }) {
  const { t } = useTranslation()
  const Icon = homeIcons[home]
  return (
    <>
      <Icon aria-hidden="true" />
      {t(promises[home])}
    </>
  )
}

const promises = {
  local: 'chat.localPromise',
  cloud: 'chat.cloudPromise',
  temporary: 'chat.temporaryPromise',
} as const
