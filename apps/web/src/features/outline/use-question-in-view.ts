import { useEffect, useState } from 'react'

/** The id of the question that is being read in the chat. */
export function useQuestionInView(): string | undefined {
  const [mId, setMId] = useState<string>()
  useEffect(() => {
    let frame = 0
    const look = (): void => {
      frame = 0
      const log = document.querySelector<HTMLElement>('main [role="log"]')
      if (log) setMId(questionIn(log))
    }
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    schedule()
    // Scroll events do not bubble; messages that are loaded first scroll the list.
    document.addEventListener('scroll', schedule, { capture: true, passive: true })
    document.addEventListener('focusin', schedule)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', schedule, true)
      document.removeEventListener('focusin', schedule)
    }
  }, [])
  return mId
}

/**
 * The one with the focus, if it is on screen. Else the line that is read goes down the list as the list is scrolled.
 */
function questionIn(log: HTMLElement): string | undefined {
  const view = log.getBoundingClientRect()
  const topOf = (element: Element): number => element.getBoundingClientRect().top
  const focused = log.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[data-message-id]')
    : null
  if (focused && topOf(focused) < view.bottom && focused.getBoundingClientRect().bottom > view.top)
    return focused.dataset.messageId
  const exchanges = [...log.querySelectorAll<HTMLElement>('[data-message-id]')]
  const room = log.scrollHeight - log.clientHeight
  const line = view.top + view.height * (room < 1 ? 1 : log.scrollTop / room)
  return (exchanges.findLast((each) => topOf(each) <= line) ?? exchanges[0])?.dataset.messageId
}
