import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Kbd } from '../../ui/kbd'
import styles from './dialogs.module.css'
import { shortcutList } from './shortcuts'

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('shell.shortcuts')} size="small" onClose={onClose} footer={<Button onClick={onClose}>{t('shell.close')}</Button>}>
      <dl className={styles.shortcuts}>
        {shortcutList.map(({ keys, label }) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>
              <Kbd>{keys}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
