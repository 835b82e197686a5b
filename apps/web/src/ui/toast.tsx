import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ConfirmationToast } from './confirmation-toast'
import { onModalLayerChange, topModalLayer } from './modal-layer'
import { PlainToast } from './plain-toast'
import styles from './toast.module.css'
import { type Toast, useToasts } from './toast-store'

export { confirmToast, reloadToast, toast } from './toast-store'

/**
 * The toast area: top centre, above everything. It lives in the topmost modal dialog while one is open, since
 * everything outside of it is inert, and in the top layer, since everything in the page is below that.
 */
export function Toaster() {
  const { toasts, confirmations } = useToasts()
  const confirmation = confirmations[0]
  const { area, movedAt } = useArea()
  const shown = useSettled(toasts, movedAt)

  return createPortal(
    <>
      {confirmation && <ConfirmationToast key={confirmation.id} confirmation={confirmation} />}
      <div aria-live="assertive" className={styles.stack}>
        {shown.filter(isUrgent).map((toast) => (
          <PlainToast key={toast.id} toast={toast} />
        ))}
      </div>
      <div aria-live="polite" className={styles.stack}>
        {shown
          .filter((toast) => !isUrgent(toast))
          .map((toast) => (
            <PlainToast key={toast.id} toast={toast} />
          ))}
      </div>
    </>,
    area,
  )
}

const isUrgent = (toast: Toast): boolean => toast.tone === 'error'

/** An element outside of React's tree, so that it can move between dialogs and keep its timers. */
function useArea() {
  const [area] = useState(createArea)
  const movedAt = useRef(0)
  useLayoutEffect(() => {
    const move = (): void => {
      const focused = area.contains(document.activeElement) ? document.activeElement : undefined
      topModalLayer().append(area)
      area.showPopover()
      if (focused instanceof HTMLElement) focused.focus()
      movedAt.current = performance.now()
    }
    move()
    const stop = onModalLayerChange(move)
    return () => {
      stop()
      area.remove()
    }
  }, [area])
  return { area, movedAt }
}

function createArea(): HTMLElement {
  const area = document.createElement('div')
  area.className = styles.area ?? ''
  area.setAttribute('popover', 'manual')
  return area
}

/** A live region that has just come into the page is often not read. */
const settleMs = 100

function useSettled(toasts: Toast[], movedAt: { readonly current: number }): Toast[] {
  const [settled, setSettled] = useState<Toast[]>([])
  useEffect(() => {
    const waitMs = movedAt.current + settleMs - performance.now()
    if (waitMs <= 0) return setSettled(toasts)
    const timer = setTimeout(() => setSettled(toasts), waitMs)
    return () => clearTimeout(timer)
  }, [toasts, movedAt])
  return settled
}
