import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'
import styles from './temporary-note.module.css'

/** What a temporary chat promises, and what it cannot. */
export default function TemporaryNote() {
  const { t } = useTranslation()
  return <p className={styles.note}>{t('temporary.note')}</p>
}
