import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import styles from './select.module.css'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  disabled?: boolean
  onChange: (value: T) => void
}

/** The browser's own select: the best one on a phone, and it needs no explanation on a keyboard. */
export function Select<T extends string>({ label, value, options, disabled, onChange }: Props<T>) {
  const id = useId()
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <select id={id} value={value} disabled={disabled} onChange={(event) => choose(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" />
      </div>
    </div>
  )
}
