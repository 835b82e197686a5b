import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'
import styles from './new-line.module.css'

/** Stands above the first message that came since the person last looked at the channel. */
export default function NewLine() {
  const { t } = useTranslation()
  return (
    <p className={styles.line} data-new-line="">
      {t('outline.new')}
    </p>
  )
}
