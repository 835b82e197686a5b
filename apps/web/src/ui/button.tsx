import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { Spinner } from './spinner'
import { Tooltip } from './tooltip'

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
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      {...busyProps(busy, onClick)}
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
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        {...rest}
        {...busyProps(busy, onClick)}
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

type Click = ComponentProps<'button'>['onClick']

const busyProps = (busy: boolean, onClick: Click) =>
  busy ? { 'aria-busy': true, 'aria-disabled': true, onClick: refuse } : { onClick }

/** Nor does it submit its form. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
