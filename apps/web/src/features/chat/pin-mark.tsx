import '../../i18n/later-texts'
import { Pin } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './pin-mark.module.css'

/** Says of a message that it goes along with every later question. */
export default function PinMark() {
  const { t } = useTranslation()
  return (
    <span className={styles.mark}>
      <Pin aria-hidden="true" />
      {t('outline.pinnedMark')}
    </span>
  )
}
