import { Segmented } from '../../ui/segmented'
import styles from './editor.module.css'

type Props<T extends string> = {
  label: string
  /** Undefined until an option is chosen. */
  value: T | undefined
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  error?: string | undefined
}

/** Radio buttons without a default. */
export function ChoiceField<T extends string>({ label, value, options, onChange, error }: Props<T>) {
  return (
    <div className={styles.choice} data-invalid={error === undefined ? undefined : ''}>
      <Segmented<T | ''>
        label={label}
        value={value ?? ''}
        options={options}
        onChange={(chosen) => chosen !== '' && onChange(chosen)}
      />
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
