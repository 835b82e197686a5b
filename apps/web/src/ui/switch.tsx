import styles from './switch.module.css'

type Props = { label: string; checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void }

export function Switch({ label, checked, disabled, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled}
      className={styles.switch}
      onClick={() => onChange(!checked)}
    >
      <span className={styles.thumb} />
    </button>
  )
}
