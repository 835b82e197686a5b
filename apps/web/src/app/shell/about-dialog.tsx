import '../../i18n/later-texts'
import { product } from '@parley/contract/product'
import { useConfig } from '../../data/config/use-config'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from './dialogs.module.css'

export default function AboutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const config = useConfig()
  return (
    <Dialog
      title={product.name}
      size="small"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('shell.close')}</Button>}
    >
      <div className={styles.text}>
        <p>{t('shell.aboutText')}</p>
        <p className={styles.muted}>
          {config && `${t('shell.aboutVersion', { version: config.version })} · `}
          {t('shell.aboutLicence')}
        </p>
      </div>
    </Dialog>
  )
}
