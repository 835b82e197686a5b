import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './hover-note.module.css'
import { placeUnder } from './popover-position'
import { tooltipDelayMs } from './tooltip'

type Props = {
  /** What is always in sight, and names the button. */
  mark: ReactNode
  /** What is shown beside it. */
  children: ReactNode
}

/** A quiet mark that tells more on hover, on keyboard focus and on a tap; Esc, scrolling and leaving hide it. */
export function HoverNote({ mark, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const hide = (): void => {
    clearTimeout(timer.current)
    setIsShown(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown) return
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setIsShown(false)
    }
    const onScroll = (): void => setIsShown(false)
    const options = { capture: true, passive: true }
    document.addEventListener('keydown', onKeyDown, options)
    document.addEventListener('wheel', onScroll, options)
    document.addEventListener('touchmove', onScroll, options)
    return () => {
      document.removeEventListener('keydown', onKeyDown, options)
      document.removeEventListener('wheel', onScroll, options)
      document.removeEventListener('touchmove', onScroll, options)
    }
  }, [isShown])

  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.mark}
        aria-describedby={isShown ? id : undefined}
        onPointerEnter={({ pointerType }) => {
          if (pointerType !== 'mouse') return
          clearTimeout(timer.current)
          timer.current = setTimeout(() => setIsShown(true), tooltipDelayMs)
        }}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && hide()}
        onFocus={({ target }) => target.matches(':focus-visible') && setIsShown(true)}
        onBlur={hide}
        onClick={() => setIsShown(true)}
      >
        {mark}
      </button>
      {isShown && (
        <Note id={id} anchor={button}>
          {children}
        </Note>
      )}
    </>
  )
}

function Note({ id, anchor, children }: { id: string; anchor: RefObject<HTMLElement | null>; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const note = ref.current
    if (!note || !anchor.current) return
    // In the top layer nothing clips it and nothing makes room for it.
    note.showPopover()
    const size = { width: note.offsetWidth, height: note.offsetHeight }
    const place = placeUnder(
      anchor.current.getBoundingClientRect(),
      size,
      { width: innerWidth, height: innerHeight },
      'end',
    )
    note.style.left = `${place.left}px`
    note.style.top = `${place.top}px`
    return () => note.hidePopover()
  }, [anchor])

  return (
    <div ref={ref} id={id} role="tooltip" popover="manual" className={styles.note}>
      {children}
    </div>
  )
}
