import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { useMediaQuery } from '../../ui/use-media-query'

const ComposerSettings = lazyPart(() => import('./composer-settings'))

/** The choices beside the text; on a narrow screen they fold into one sheet. */
export function ComposerPicks({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const [isOpen, setIsOpen] = useState(false)
  if (!isNarrow) return children
  return (
    <>
      <IconButton label={t('chat.settings')} icon={SlidersHorizontal} aria-haspopup="dialog" onClick={() => setIsOpen(true)} />
      {/* Outside of the composer's form. */}
      {createPortal(<Suspense>{isOpen && <ComposerSettings onClose={() => setIsOpen(false)}>{children}</ComposerSettings>}</Suspense>, document.body)}
    </>
  )
}
