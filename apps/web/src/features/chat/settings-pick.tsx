import { hasAnswerSettings } from '@parley/contract/chat-settings'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useCallback, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useChatSettings } from '../../data/channels/chat-settings'
import { useTranslation } from '../../i18n/interface-language'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { PickButton } from '../../ui/pick-button'
import { useMediaQuery } from '../../ui/use-media-query'
import styles from './settings-pick.module.css'

const SettingsPanel = lazyPart(() => import('./settings-panel'))

/** Opens how the answers of a chat are asked for; without an id, of the chat that the next question begins. */
export function SettingsPick({ channelId }: { channelId: string | undefined }) {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const isChanged = useHasSettings(channelId)
  const [isOpen, setIsOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const anchor = useCallback(() => place.current, [])
  const label = t('chat.answerSettings')
  const value = t(isChanged ? 'chat.answerSettingsChanged' : 'chat.answerSettingsUsual')
  const open = () => setIsOpen(true)
  return (
    <>
      {isNarrow ? (
        <PickButton icon={SlidersHorizontal} label={label} value={value} aria-haspopup="dialog" onClick={open} />
      ) : (
        <span ref={place} className={styles.place} data-changed={isChanged || undefined}>
          <IconButton
            label={`${label}: ${value}`}
            icon={SlidersHorizontal}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={open}
          />
        </span>
      )}
      {/* A portal, outside of the composer's form. */}
      {createPortal(
        <Suspense>
          {isOpen && (
            <SettingsPanel
              channelId={channelId}
              anchor={isNarrow ? undefined : anchor}
              onClose={() => setIsOpen(false)}
            />
          )}
        </Suspense>,
        document.body,
      )}
    </>
  )
}

/** Something differs from what the agent and the model do by themselves. */
export const useHasSettings = (channelId: string | undefined): boolean =>
  hasAnswerSettings(useChatSettings(channelId).settings)
