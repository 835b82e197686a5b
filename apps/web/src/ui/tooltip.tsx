import {
  cloneElement,
  type ReactElement,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { placeUnder } from './popover-position'
import styles from './tooltip.module.css'

/** Tooltips appear after this time (document 1, section 9). */
export const tooltipDelayMs = 300

type Trigger = ReactElement<{
  'aria-describedby'?: string | undefined
  'aria-label'?: string | undefined
}>

/** Shows a label for the control inside on hover and on keyboard focus; Esc, a click, scrolling and leaving hide it. */
export function Tooltip({ label, children }: { label: string; children: Trigger }) {
  const id = useId()
  const wrapper = useRef<HTMLSpanElement>(null)
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const show = (): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsShown(true), tooltipDelayMs)
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setIsShown(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useEffect(() => {
    if (!isShown) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setIsShown(false)
    }
    const onScroll = (): void => setIsShown(false)
    // The pointer may be here while the focus is elsewhere.
    document.addEventListener('keydown', onKeyDown, true)
    document.addEventListener('wheel', onScroll, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', onKeyDown, true)
      document.removeEventListener('wheel', onScroll, true)
    }
  }, [isShown])

  // Where the label is the control's name already, describing it by the same words would read them twice.
  const describes = isShown && children.props['aria-label'] !== label
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the control inside and is none itself
    <span
      ref={wrapper}
      className={styles.anchor}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
    >
      {describes ? cloneElement(children, { 'aria-describedby': id }) : children}
      {isShown && <Bubble id={id} label={label} anchor={wrapper} />}
    </span>
  )
}

function Bubble({ id, label, anchor }: { id: string; label: string; anchor: RefObject<HTMLElement | null> }) {
  const ref = useRef<HTMLSpanElement>(null)

  useLayoutEffect(() => {
    const bubble = ref.current
    const control = anchor.current?.firstElementChild
    if (!bubble || !control) return
    // In the top layer nothing clips it and nothing makes room for it.
    bubble.showPopover()
    const { left, top, bottom, width } = control.getBoundingClientRect()
    const size = { width: bubble.offsetWidth, height: bubble.offsetHeight }
    const centred = left + width / 2 - size.width / 2
    const place = placeUnder(
      { left: centred, right: centred + size.width, top, bottom },
      size,
      { width: innerWidth, height: innerHeight },
      'start',
    )
    bubble.style.left = `${place.left}px`
    bubble.style.top = `${place.top}px`
    return () => bubble.hidePopover()
  }, [anchor])

  return (
    <span ref={ref} id={id} role="tooltip" popover="manual" className={styles.bubble}>
      {label}
    </span>
  )
}
