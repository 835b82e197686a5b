import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './menu.module.css'
import { type Align, placeUnder } from './popover-position'

export type MenuItem =
  | { id: string; label: string; icon?: LucideIcon; onSelect: () => void; disabled?: boolean; tone?: 'danger' }
  | 'separator'

type Props = {
  id: string
  label: string | undefined
  items: MenuItem[]
  /** What has the focus at first: one of the items, by its position. */
  start: 'first' | 'last' | number
  onClose: () => void
  anchor: () => DOMRect
  align: Align
  opener?: RefObject<HTMLElement | null>
}

/** The open menu: in the top layer, so that nothing clips it, and placed once, where its anchor was. */
export function MenuList({ id, label, items, start, onClose, anchor, align, opener }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })

  useLayoutEffect(() => {
    const list = ref.current
    if (!list) return
    const before = document.activeElement
    list.showPopover()
    const { left, top } = placeUnder(
      anchor(),
      { width: list.offsetWidth, height: list.offsetHeight },
      { width: innerWidth, height: innerHeight },
      align,
    )
    list.style.left = `${left}px`
    list.style.top = `${top}px`
    entriesOf(list)
      .at(start === 'first' ? 0 : start === 'last' ? -1 : start)
      ?.focus()
    return () => {
      const isHere = list.contains(document.activeElement) || document.activeElement === document.body
      list.hidePopover()
      // Whoever was focused when it opened gets the focus back, unless a click has moved it.
      if (isHere && before instanceof HTMLElement) before.focus()
    }
  }, [anchor, align, start])

  useEffect(() => {
    const outside = (event: Event): void => {
      const { target } = event
      if (target instanceof Node && !ref.current?.contains(target) && !opener?.current?.contains(target)) onClose()
    }
    const options = { capture: true, passive: true }
    // Not on any scroll: an answer that is being written scrolls by itself.
    for (const name of ['pointerdown', 'wheel', 'touchmove']) document.addEventListener(name, outside, options)
    addEventListener('resize', onClose)
    addEventListener('blur', onClose)
    return () => {
      for (const name of ['pointerdown', 'wheel', 'touchmove']) document.removeEventListener(name, outside, options)
      removeEventListener('resize', onClose)
      removeEventListener('blur', onClose)
    }
  }, [onClose, opener])

  const onKeyDown = (event: KeyboardEvent): void => {
    const list = ref.current
    if (!list) return
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
      return
    }
    const next = nextEntry(entriesOf(list), event) ?? typedEntry(entriesOf(list), event, typed.current)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }

  const choose = (item: Exclude<MenuItem, 'separator'>): void => {
    if (item.disabled) return
    onClose()
    item.onSelect()
  }

  return (
    <div
      ref={ref}
      id={id}
      role="menu"
      aria-label={label}
      popover="manual"
      className={styles.menu}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // Not a click on the row that the menu belongs to.
      onClick={(event) => event.stopPropagation()}
    >
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a separator is nothing but its place
          <hr key={index} className={styles.separator} />
        ) : (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={styles.item}
            data-tone={item.tone}
            aria-disabled={item.disabled || undefined}
            onClick={() => choose(item)}
            onPointerMove={(event) =>
              event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })
            }
          >
            {item.icon && <item.icon aria-hidden="true" />}
            <span className={styles.label}>{item.label}</span>
          </button>
        ),
      )}
    </div>
  )
}

const entriesOf = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role="menuitem"]')]

const focusedIndex = (entries: HTMLElement[]): number => entries.findIndex((entry) => entry.matches(':focus'))

/** The entry that a key leads to: arrows go round, Home and End to the ends. */
function nextEntry(entries: HTMLElement[], event: KeyboardEvent): HTMLElement | undefined {
  const at = focusedIndex(entries)
  switch (event.key) {
    case 'ArrowDown':
      return entries[(at + 1) % entries.length]
    case 'ArrowUp':
      return entries.at(at < 0 ? -1 : at - 1)
    case 'Home':
      return entries[0]
    case 'End':
      return entries.at(-1)
    default:
      return undefined
  }
}

/** Letters typed within this time belong together. */
const typingMs = 500

/** The next entry that begins with the letters typed so far; the same letter again goes on to the next one. */
function typedEntry(
  entries: HTMLElement[],
  event: KeyboardEvent,
  typed: { text: string; at: number },
): HTMLElement | undefined {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const isContinued = event.timeStamp - typed.at < typingMs
  if (event.key === ' ' && !isContinued) return undefined
  typed.text = (isContinued ? typed.text : '') + event.key.toLowerCase()
  typed.at = event.timeStamp
  const wanted = /^(.)\1+$/.test(typed.text) ? typed.text.slice(0, 1) : typed.text
  const at = focusedIndex(entries)
  const from = wanted.length === 1 ? at + 1 : at
  return [...entries.slice(from), ...entries.slice(0, from)].find((entry) =>
    entry.textContent?.trim().toLowerCase().startsWith(wanted),
  )
}
