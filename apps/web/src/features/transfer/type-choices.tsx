import '../../i18n/later-texts'
import { type DataType, dataTypes } from '@parley/contract/data-file'
import { useTranslation } from '../../i18n/interface-language'
import styles from './transfer.module.css'

type Props = {
  chosen: ReadonlySet<DataType>
  counts?: Readonly<Record<DataType, number>>
  onChange: (chosen: ReadonlySet<DataType>) => void
}

/** Checkboxes of the data types, with their numbers where known. At least one. */
export function TypeChoices({ chosen, counts, onChange }: Props) {
  const { t, language } = useTranslation()
  const toggle = (type: DataType): void => {
    const next = new Set(chosen)
    if (!next.delete(type)) next.add(type)
    onChange(next)
  }
  return (
    <fieldset className={styles.types}>
      <legend>{t('transfer.what')}</legend>
      {dataTypes.map((type) => (
        <label key={type} className={styles.check}>
          <input type="checkbox" checked={chosen.has(type)} onChange={() => toggle(type)} />
          <span>{t(`transfer.${type}`)}</span>
          {counts && <span className={styles.count}>{counts[type].toLocaleString(language)}</span>}
        </label>
      ))}
      {chosen.size === 0 && (
        <p className={styles.problem} role="alert">
          {t('transfer.chooseOne')}
        </p>
      )}
    </fieldset>
  )
}
