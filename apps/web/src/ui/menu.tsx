import type { LucideIcon } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { IconButton } from './button'
import { type MenuItem, MenuList } from './menu-list'
import type { Align } from './popover-position'

export type { MenuItem } from './menu-list'

type MenuProps = { label: string; icon: LucideIcon; size?: 'small' | 'medium'; align?: Align; items: MenuItem[] }

/** A button that opens a menu (WAI-ARIA menu button). Arrow down opens it at the first entry, arrow up at the last. */
export function Menu({ label, icon, size = 'medium', align = 'start', items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [start, setStart] = useState<'first' | 'last'>()
  const menuId = useId()
  const close = useCallback(() => setStart(undefined), [])
  const anchor = useCallback(() => button.current?.getBoundingClientRect() ?? new DOMRect(), [])

  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={icon}
        size={size}
        aria-haspopup="menu"
        aria-expanded={start !== undefined}
        aria-controls={start ? menuId : undefined}
        onClick={() => setStart((was) => (was ? undefined : 'first'))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setStart(event.key === 'ArrowUp' ? 'last' : 'first')
        }}
      />
      {start && (
        <MenuList
          id={menuId}
          label={label}
          items={items}
          start={start}
          onClose={close}
          anchor={anchor}
          align={align}
          opener={button}
        />
      )}
    </>
  )
}

/** The same menu at a point, for the context key and the right mouse button. */
export function ContextMenu({
  at,
  label,
  items,
  onClose,
}: {
  at: { x: number; y: number }
  label?: string
  items: MenuItem[]
  onClose: () => void
}) {
  const id = useId()
  const { x, y } = at
  const anchor = useCallback(() => new DOMRect(x, y, 0, 0), [x, y])
  return <MenuList id={id} label={label} items={items} start="first" onClose={onClose} anchor={anchor} align="start" />
}
