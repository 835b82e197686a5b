import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import styles from './read-only-note.module.css'

/** Stands in the composer's place for whoever may only read. */
export function ReadOnlyNote({ ownerName }: { ownerName: string }) {
  const { t } = useTranslation()
  return (
    <p className={styles.note} role="note">
      <Eye aria-hidden="true" />
      {t('members.readOnly', { owner: ownerName })}
    </p>
  )
}
