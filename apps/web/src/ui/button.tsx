import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { Spinner } from './spinner'
import { Tooltip } from './tooltip'
import { useSteadyPress } from './use-steady-press'

type ButtonProps = ComponentProps<'button'> & {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
  /**
   * Shows a spinner in the button's own place and takes no clicks. It keeps the focus, which a disabled button would
   * lose.
   */
  busy?: boolean
  icon?: LucideIcon
  wide?: boolean
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  icon: Icon,
  wide = false,
  type = 'button',
  className,
  onPointerDown,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const press = useSteadyPress({ onPointerDown, onClick })
  return (
    <button
      {...rest}
      {...(busy ? refused : press)}
      type={type}
      data-variant={variant}
      data-size={size}
      data-wide={wide || undefined}
      className={[styles.button, className].filter(Boolean).join(' ')}
    >
      {busy && (
        <span className={styles.spinner}>
          <Spinner />
        </span>
      )}
      <span className={styles.content}>
        {Icon && <Icon aria-hidden="true" />}
        {children}
      </span>
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** Its accessible name and its tooltip. */
  label: string
  icon: LucideIcon
  size?: 'small' | 'medium'
  pressed?: boolean
  busy?: boolean
}

export function IconButton({
  label,
  icon: Icon,
  size = 'medium',
  pressed,
  busy = false,
  type = 'button',
  className,
  onPointerDown,
  onClick,
  ...rest
}: IconButtonProps) {
  const press = useSteadyPress({ onPointerDown, onClick })
  return (
    <Tooltip label={label}>
      <button
        {...rest}
        {...(busy ? refused : press)}
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        data-size={size}
        className={[styles.icon, className].filter(Boolean).join(' ')}
      >
        {busy ? <Spinner /> : <Icon aria-hidden="true" />}
      </button>
    </Tooltip>
  )
}

/** A busy button does not submit its form either. */
const refused = {
  'aria-busy': true,
  'aria-disabled': true,
  onClick: (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
  },
}
