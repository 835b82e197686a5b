import { Check, CircleAlert, Info, Megaphone, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../i18n/interface-language'
import { Button, IconButton } from './button'
import { dropIn } from './drop-in'
import { Spinner } from './spinner'
import styles from './toast.module.css'
import { dismissToast, type Toast, toastMs } from './toast-store'
import { useCountdown } from './use-countdown'

const icons = { success: Check, error: CircleAlert, info: Info, notice: Megaphone, loading: undefined }

export function PlainToast({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  const [isHeld, setIsHeld] = useState(false)
  const ends = toast.tone !== 'loading' && toast.tone !== 'notice'
  useCountdown(ends ? toastMs : undefined, isHeld, () => dismissToast(toast.id))
  const Icon = icons[toast.tone]
  return (
    <div
      ref={dropIn}
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
    >
      {Icon ? <Icon aria-hidden="true" /> : <Spinner />}
      <span className={styles.text}>{toast.text}</span>
      {toast.action && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            dismissToast(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      {toast.tone === 'notice' && (
        <IconButton label={t('common.close')} icon={X} size="small" onClick={() => dismissToast(toast.id)} />
      )}
    </div>
  )
}
