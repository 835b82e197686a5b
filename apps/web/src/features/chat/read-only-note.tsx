import '../../i18n/later-texts'
import { Eye } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './read-only-note.module.css'

/** Shown instead of the composer to members who may only read. */
export function ReadOnlyNote({ ownerName }: { ownerName: string }) {
  const { t } = useTranslation()
  return (
    <p className={styles.note} role="note">
      <Eye aria-hidden="true" />
      {t('members.readOnly', { owner: ownerName })}
    </p>
  )
}
