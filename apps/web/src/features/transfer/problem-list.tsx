import '../../i18n/later-texts'
import type { Problem } from '../../data/transfer/entries'
import { useTranslation } from '../../i18n/interface-language'
import styles from './transfer.module.css'

/** The first entries that were not imported. */
export function ProblemList({ title, problems }: { title: string; problems: readonly Problem[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.problems}>
      <p>{title}</p>
      <ul>
        {problems.map(({ type, label, reason }) => (
          <li key={`${type} ${label} ${reason}`}>
            {t(`transfer.problem.${reason}`, { type: t(`transfer.${type}`), place: label })}
          </li>
        ))}
      </ul>
    </div>
  )
}
