import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Progress } from '../../ui/progress'
import type { Transfer } from './channel-dialog-state'
import styles from './transfer-dialog.module.css'

/** An export or import under way, with numbers. */
export default function TransferDialog({ transfer }: { transfer: Transfer }) {
  const { t } = useTranslation()
  const { title, hint, progress, unit, cancel } = transfer
  const percent = progress && Math.floor((100 * progress.done) / Math.max(1, progress.total))
  const text = !progress ? t('channels.preparing') : unit === 'chats' ? t('channels.progress', progress) : t('channels.percent', { percent })
  return (
    <Dialog title={title} onClose={cancel} size="small" isStatic footer={<Button onClick={cancel}>{t('channels.cancel')}</Button>}>
      <div className={styles.body}>
        <p>{hint}</p>
        <Progress value={progress?.done ?? 0} max={Math.max(1, progress?.total ?? 1)} label={title} />
        <p className={styles.numbers} role="status">
          {text}
        </p>
      </div>
    </Dialog>
  )
}
