import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { takeFirstText } from '../../lib/first-screen'

/**
 * Takes over the focus, and what was typed before the app was there, with the cursor where it was. `onSent`: it was to
 * be sent.
 */
export function useFirstText(
  box: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
  onSent: () => void,
): void {
  const take = useEffectEvent(() => {
    const typed = takeFirstText()
    if (!typed) return
    const { text, selection, isSent } = typed
    // At once: a key that is pressed now is for the box.
    box.current?.focus()
    if (text === '') return
    setText(text)
    if (isSent) onSent()
    // Its value is there with the next render, which comes before the person sees anything.
    queueMicrotask(() => {
      flushSync(() => undefined)
      box.current?.setSelectionRange(...selection)
    })
  })
  useLayoutEffect(() => take(), [])
}
