import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from '../i18n/interface-language'
import { Button } from './button'
import { dropIn, prefersStill } from './drop-in'
import styles from './toast.module.css'
import { type Confirmation, confirmMs } from './toast-store'
import { useCountdown } from './use-countdown'

/** A question with a line that runs out. The clock stands still under the pointer. */
export function ConfirmationToast({ confirmation }: { confirmation: Confirmation }) {
  const { t } = useTranslation()
  const { kind, message, okLabel, cancelLabel, danger = false, settle } = confirmation
  const isQuestion = kind === 'confirm'
  const [isHeld, setIsHeld] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  const line = useRef<HTMLSpanElement>(null)
  const messageId = useId()

  useCountdown(confirmMs, isHeld, () => settle(false))
  useDrain(line, isHeld)
  useFocusWhile(isQuestion, cancel)
  useEscape(isQuestion, () => settle(false))

  return (
    <div
      ref={dropIn}
      role="alertdialog"
      aria-labelledby={messageId}
      className={styles.confirmation}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
    >
      <div className={styles.question}>
        <p id={messageId}>{message}</p>
        <span className={styles.track}>
          <span ref={line} className={styles.line} />
        </span>
      </div>
      <div className={styles.actions}>
        <Button ref={cancel} size="small" variant="quiet" onClick={() => settle(false)}>
          {cancelLabel ?? t(isQuestion ? 'common.cancel' : 'common.later')}
        </Button>
        <Button size="small" variant={danger ? 'danger' : 'primary'} onClick={() => settle(true)}>
          {okLabel ?? t(isQuestion ? 'common.ok' : 'common.reload')}
        </Button>
      </div>
    </div>
  )
}

/** Not an animation of the style sheet: that would begin again when the toast area moves to a dialog. */
function useDrain(line: RefObject<HTMLElement | null>, isHeld: boolean): void {
  const drain = useRef<Animation>(undefined)
  useEffect(() => {
    const easing = prefersStill() ? 'steps(15)' : 'linear'
    drain.current ??= line.current?.animate?.([{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], {
      duration: confirmMs,
      fill: 'forwards',
      easing,
    })
  }, [line])
  useEffect(() => {
    if (isHeld) drain.current?.pause()
    else drain.current?.play()
  }, [isHeld])
}

/** Focuses the control, and gives the focus back afterwards unless somebody has moved it. */
function useFocusWhile(isWanted: boolean, control: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isWanted) return
    const before = document.activeElement
    control.current?.focus()
    return () => {
      const isLost = document.activeElement === document.body || document.activeElement === null
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isWanted, control])
}

/** Wherever the focus is: the question is what lies on top. Only an open menu lies above it. */
function useEscape(isWanted: boolean, onEscape: () => void): void {
  const cancel = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isWanted) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing) return
      if (event.target instanceof Element && event.target.closest('[role="menu"]')) return
      // Else the dialog below would close as well.
      event.preventDefault()
      event.stopPropagation()
      cancel()
    }
    addEventListener('keydown', onKeyDown, true)
    return () => removeEventListener('keydown', onKeyDown, true)
  }, [isWanted])
}
