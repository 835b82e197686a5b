import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import type { Problem } from '../../data/transfer/entries'
import styles from './transfer.module.css'

/** The first of what was not taken. */
export function ProblemList({ title, problems }: { title: string; problems: readonly Problem[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.problems}>
      <p>{title}</p>
      <ul>
        {problems.map(({ type, place, reason }) => (
          <li key={`${type} ${place} ${reason}`}>{t(`transfer.problem.${reason}`, { type: t(`transfer.${type}`), place })}</li>
        ))}
      </ul>
    </div>
  )
}
