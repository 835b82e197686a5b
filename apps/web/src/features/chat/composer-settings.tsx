import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Dialog } from '../../ui/dialog'

/** The composer's pickers as rows of a sheet. */
export default function ComposerSettings({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('chat.settings')} size="small" onClose={onClose}>
      <div data-picks="">{children}</div>
    </Dialog>
  )
}
