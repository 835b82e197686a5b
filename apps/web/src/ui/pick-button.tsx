import { ChevronDown, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import styles from './pick-button.module.css'

type Props = Omit<ComponentProps<'button'>, 'children' | 'value'> & {
  icon?: LucideIcon
  /** A picture in the icon's place. */
  face?: ReactNode
  /** What is chosen here, such as the model. */
  label: string
  /** What it is now. */
  value: string
  tone?: 'local' | 'cloud' | undefined
  /** There is nothing to choose: it is no button. */
  isFixed?: boolean
}

/**
 * A choice beside a text box: it shows what is chosen and opens the picker. In a sheet of settings (`data-picks`) it is
 * a row with its label.
 */
export function PickButton({ icon: Icon, face: picture, label, value, tone, isFixed = false, ...button }: Props) {
  const face = (
    <>
      {Icon ? <Icon aria-hidden="true" /> : picture}
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
    </>
  )
  if (isFixed) {
    return (
      <span className={styles.pick} data-tone={tone}>
        {face}
      </span>
    )
  }
  return (
    <button {...button} type="button" className={styles.pick} data-tone={tone} aria-label={`${label}: ${value}`}>
      {face}
      <ChevronDown aria-hidden="true" />
    </button>
  )
}
