import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog'

/** The composer's choices as rows of a sheet. */
export default function ComposerSettings({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('chat.settings')} size="small" onClose={onClose}>
      <div data-picks="">{children}</div>
    </Dialog>
  )
}
