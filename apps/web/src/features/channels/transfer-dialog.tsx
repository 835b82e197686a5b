import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'
import { percentText } from '../../lib/percent-text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Progress } from '../../ui/progress'
import type { Transfer } from './channel-dialog-state'
import styles from './transfer-dialog.module.css'

/** The progress of an export or import, with numbers. */
export default function TransferDialog({ transfer }: { transfer: Transfer }) {
  const { t, language } = useTranslation()
  const { title, hint, progress, unit, cancel } = transfer
  const percent = progress && percentText(progress.done / Math.max(1, progress.total), language)
  const text = !progress ? t('channels.preparing') : unit === 'chats' ? t('channels.progress', progress) : percent
  return (
    <Dialog
      title={title}
      onClose={cancel}
      size="small"
      isStatic
      footer={<Button onClick={cancel}>{t('channels.cancel')}</Button>}
    >
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
