import '../../i18n/later-texts'
import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './drop-frame.module.css'

/** What lies over the chat while files are dragged over it. */
export default function DropFrame() {
  const { t } = useTranslation()
  const [box] = useState(() => document.querySelector('main')?.getBoundingClientRect())
  const place = box && { left: box.left, top: box.top, width: box.width, height: box.height }
  return (
    <div className={styles.frame} style={place} role="status">
      <p>
        <FilePlus2 aria-hidden="true" />
        {t('sources.dropHere')}
      </p>
    </div>
  )
}
