import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { media } from './breakpoints'
import { IconButton } from './button'
import { enterModalLayer } from './modal-layer'
import styles from './side-panel.module.css'
import { useMediaQuery } from './use-media-query'
import { useSheetSwipe } from './use-sheet-swipe'

type Props = {
  title: string
  closeLabel: string
  /** Before the title, and what can be done beside closing. */
  icon?: ReactNode
  actions?: ReactNode
  /** For a document: wider, as far as the chat keeps half of the room. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * Stands beside the chat, which makes room for it; on narrow screens a sheet over it, with a veil. Esc closes it, and
 * the focus returns to what opened it. The focus goes to what has `data-autofocus`, as soon as that is there.
 */
export function SidePanel(props: Props) {
  const isNarrow = useMediaQuery(media.narrow)
  const [wasNarrow] = useState(isNarrow)
  const { onClose } = props
  // A window that becomes narrow has no room beside the chat any more, and nobody has asked for a sheet over it.
  const isCrowdedOut = isNarrow && !wasNarrow
  useEffect(() => {
    if (isCrowdedOut) onClose()
  }, [isCrowdedOut, onClose])
  if (isCrowdedOut) return null
  return isNarrow ? <Sheet {...props} /> : <Beside {...props} />
}

function Beside({ onClose, ...props }: Props) {
  const ref = useRef<HTMLElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const panel = ref.current
    if (!panel) return
    const opener = document.activeElement
    focusIn(panel)
    return () => returnFocus(panel, opener)
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside
      ref={ref}
      className={styles.beside}
      data-side-panel={props.isWide ? 'wide' : ''}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Inside {...props} titleId={titleId} onClose={onClose} />
    </aside>
  )
}

function Sheet({ onClose, ...props }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const swipe = useSheetSwipe(ref, onClose)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    dialog.showModal()
    focusIn(dialog)
    const leave = enterModalLayer(dialog)
    return () => {
      leave()
      const isInside = dialog.contains(document.activeElement) || document.activeElement === document.body
      dialog.close()
      if (isInside && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the veil's counterpart on the keyboard
    <dialog
      ref={ref}
      className={styles.sheet}
      data-side-panel=""
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={styles.inside} {...swipe}>
        <span className={styles.grip} data-sheet-handle="" aria-hidden="true" />
        <Inside {...props} titleId={titleId} onClose={onClose} />
      </div>
    </dialog>
  )
}

function Inside({ title, titleId, closeLabel, icon, actions, onClose, children }: Props & { titleId: string }) {
  return (
    <>
      <header className={styles.header} data-sheet-handle="">
        {icon}
        <h2 id={titleId} dir="auto" title={title}>
          {title}
        </h2>
        {actions}
        <IconButton label={closeLabel} icon={X} onClick={onClose} />
      </header>
      {children}
    </>
  )
}

const focusIn = (panel: HTMLElement): void => (panel.querySelector<HTMLElement>('[data-autofocus]') ?? panel).focus()

function returnFocus(panel: HTMLElement, opener: Element | null): void {
  const isInside = panel.contains(document.activeElement) || document.activeElement === document.body
  if (isInside && opener instanceof HTMLElement) opener.focus()
}

/** Takes the focus from the panel, once it has something to focus. */
export function useFocusInPanel(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const panel = control.current?.closest('[data-side-panel]')
    if (panel && panel === document.activeElement) control.current?.focus()
  }, [control])
}
