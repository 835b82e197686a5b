import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '../../i18n/interface-language'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { useMediaQuery } from '../../ui/use-media-query'
import { useHasSettings } from './settings-pick'
import styles from './settings-pick.module.css'

const ComposerSettings = lazyPart(() => import('./composer-settings'))

/** The pickers beside the text; on a narrow screen they are in a sheet. */
export function ComposerPicks({ channelId, children }: { channelId: string | undefined; children: ReactNode }) {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const [isOpen, setIsOpen] = useState(false)
  const isChanged = useHasSettings(channelId)
  if (!isNarrow) return children
  return (
    <>
      <span className={styles.place} data-changed={isChanged || undefined}>
        <IconButton
          label={t('chat.settings')}
          icon={SlidersHorizontal}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        />
      </span>
      {/* A portal, outside of the composer's form. */}
      {createPortal(
        <Suspense>
          {isOpen && <ComposerSettings onClose={() => setIsOpen(false)}>{children}</ComposerSettings>}
        </Suspense>,
        document.body,
      )}
    </>
  )
}
