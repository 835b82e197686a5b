import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../i18n/interface-language'
import { IconButton } from './button'
import styles from './dialog.module.css'
import { Logo } from './logo'
import { enterModalLayer } from './modal-layer'
import { placeUnder } from './popover-position'

type Props = {
  title: string
  onClose: () => void
  size?: 'small' | 'medium' | 'wide' | 'large'
  /** A panel from the right, with the product's name above the title. */
  isPanel?: boolean
  /** A click outside does not close it. */
  isStatic?: boolean
  /** On a wide screen the dialog is a box beside this place, and the page behind stays as bright as it is. */
  anchor?: (() => HTMLElement | null) | undefined
  /** Stands in the place of the plain title, which then is the dialog's name alone. */
  head?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/**
 * Open while it is mounted. The browser's own modal dialog: the page behind is inert, Esc closes, focus returns to the
 * opener. The first field gets the focus, or what has `data-autofocus`.
 */
export function Dialog({
  title,
  onClose,
  size = 'medium',
  isPanel = false,
  isStatic = false,
  anchor,
  head,
  footer,
  children,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)
  const titleId = useId()
  const { t } = useTranslation()

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    dialog.showModal()
    const beside = anchor?.()
    const unplace = beside && keepBeside(dialog, beside)
    firstControl(dialog)?.focus()
    const leave = enterModalLayer(dialog)
    return () => {
      unplace?.()
      leave()
      // A confirmation that is still open has moved out of the dialog and keeps the focus.
      const kept =
        dialog.contains(document.activeElement) || document.activeElement === document.body
          ? opener
          : document.activeElement
      dialog.close()
      if (kept instanceof HTMLElement) kept.focus()
    }
  }, [anchor])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the backdrop's counterpart on the keyboard
    <dialog
      ref={ref}
      className={styles.dialog}
      data-size={size}
      data-panel={isPanel || undefined}
      data-beside={anchor ? '' : undefined}
      {...(head ? { 'aria-label': title } : { 'aria-labelledby': titleId })}
      onCancel={(event) => {
        // A file chooser inside that is cancelled says so by an event of the same name.
        if (event.target !== ref.current) return
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // A second Esc closes without asking. Whether it closes is the owner's decision, so it is open again until the
        // owner has decided.
        if (!ref.current || ref.current.open) return
        ref.current.showModal()
        onClose()
      }}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={(event) => {
        // Pressed there too: selecting text with the mouse may end outside.
        if (!isStatic && event.target === ref.current && pressed.current === ref.current) onClose()
      }}
    >
      <div className={styles.sheet}>
        <header className={styles.header} data-tall={head ? '' : undefined}>
          {isPanel ? <Logo /> : (head ?? <h2 id={titleId}>{title}</h2>)}
          <IconButton label={t('common.close')} icon={X} onClick={onClose} />
        </header>
        <div className={styles.body} data-dialog-body="">
          {isPanel && <h2 id={titleId}>{title}</h2>}
          {children}
        </div>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  )
}

/**
 * Places a box beside its anchor, again whenever the size of the box or of the window changes, or that of what stands
 * in a row with the anchor, which moves it. Returns the end of it.
 */
function keepBeside(box: HTMLElement, anchor: HTMLElement): () => void {
  const place = (): void => {
    const size = { width: box.offsetWidth, height: box.offsetHeight }
    const { left, top } = placeUnder(
      anchor.getBoundingClientRect(),
      size,
      { width: innerWidth, height: innerHeight },
      'start',
    )
    box.style.left = `${left}px`
    box.style.top = `${top}px`
  }
  place()
  const observer = new ResizeObserver(place)
  observer.observe(box)
  const row = anchor.parentElement
  const observeRow = (): void => {
    for (const each of row?.children ?? []) observer.observe(each)
  }
  observeRow()
  const added = new MutationObserver(observeRow)
  if (row) added.observe(row, { childList: true })
  addEventListener('resize', place)
  return () => {
    observer.disconnect()
    added.disconnect()
    removeEventListener('resize', place)
  }
}

const candidates = [
  '[data-autofocus]',
  'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)',
  '[data-dialog-body] button:not(:disabled)',
  'footer button:not(:disabled)',
  'button',
]

function firstControl(dialog: HTMLElement): HTMLElement | null {
  for (const selector of candidates) {
    const control = dialog.querySelector<HTMLElement>(selector)
    if (control) return control
  }
  return null
}
