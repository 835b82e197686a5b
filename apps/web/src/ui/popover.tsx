import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import styles from './popover.module.css'
import { placeUnder } from './popover-position'

type Props = {
  id: string
  title: string
  opener: RefObject<HTMLElement | null>
  /** It stands above, or below, the nearest ancestor of the opener that this selector names, and covers none of it. */
  above: string
  onClose: () => void
  children: ReactNode
}

/**
 * A small panel beside a button, open while it is mounted. It takes the focus; Esc, Tab, a click elsewhere and a window
 * of another size close it, and the button gets the focus back.
 */
export function Popover({ id, title, opener, above, onClose, children }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const panel = ref.current
    const button = opener.current
    if (!panel || !button) return
    // In the top layer nothing clips it.
    panel.showPopover()
    const { left, right } = button.getBoundingClientRect()
    const { top, bottom } = (button.closest(above) ?? button).getBoundingClientRect()
    const size = { width: panel.offsetWidth, height: panel.offsetHeight }
    const place = placeUnder({ left, right, top, bottom }, size, { width: innerWidth, height: innerHeight }, 'end')
    panel.style.left = `${place.left}px`
    panel.style.top = `${place.top}px`
    panel.focus()
    return () => {
      const isHere = panel.contains(document.activeElement) || document.activeElement === document.body
      panel.hidePopover()
      if (isHere) button.focus()
    }
  }, [opener, above])

  useEffect(() => {
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !ref.current?.contains(target) && !opener.current?.contains(target)) onClose()
    }
    document.addEventListener('pointerdown', outside, { capture: true, passive: true })
    addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', outside, { capture: true })
      removeEventListener('resize', onClose)
    }
  }, [onClose, opener])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  return (
    <div
      ref={ref}
      id={id}
      role="dialog"
      aria-labelledby={titleId}
      popover="manual"
      tabIndex={-1}
      className={styles.popover}
      onKeyDown={onKeyDown}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </div>
  )
}
