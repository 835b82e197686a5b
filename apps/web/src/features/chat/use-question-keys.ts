import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Messages } from '../../data/channels/use-messages'

type List = Pick<Messages, 'messages' | 'hasOlder' | 'loadOlder' | 'hasNewer' | 'loadNewer'> & {
  scroller: RefObject<HTMLElement | null>
  isAtEnd: RefObject<boolean>
}
type Step = -1 | 1

/** An exchange that begins within this distance of the list's upper edge, in pixels, counts as the one being read. */
const topPx = 40

/**
 * Alt Shift ↑ and ↓: goes to the question before or after the one that has the focus or is being read. One that is not
 * loaded yet is loaded first.
 */
export function useQuestionKeys(list: List, goTo: (mId: string) => void): void {
  /** A step beyond the loaded messages waits for more of them; `edge`: the last one on its way. */
  const waiting = useRef<{ by: Step; edge: string | undefined }>(undefined)
  /** Where the last step led, until the reader scrolls on by hand. The list may render it again, without its focus. */
  const reached = useRef<string>(undefined)

  const take = (by: Step, from: number): void => {
    const { messages, hasOlder, loadOlder, hasNewer, loadNewer } = list
    const next = messages[from + by]
    if (next) {
      reached.current = next.mId
      goTo(next.mId)
    }
    if (next || (by < 0 ? !hasOlder : !hasNewer)) return
    waiting.current = { by, edge: messages.at(by < 0 ? 0 : -1)?.mId }
    if (by < 0) loadOlder()
    else loadNewer()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    waiting.current = undefined
    const by = stepOf(event)
    if (by === undefined || document.querySelector('dialog[open]')) return
    event.preventDefault()
    take(by, placeIn(list, reached.current, by))
  })
  const onMessages = useEffectEvent(() => {
    const step = waiting.current
    waiting.current = undefined
    const edge = step ? list.messages.findIndex(({ mId }) => mId === step.edge) : -1
    if (step && edge >= 0) take(step.by, edge)
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const { scroller } = list
  useEffect(() => {
    const area = scroller.current
    const forget = (): void => {
      reached.current = undefined
    }
    for (const event of byHand) area?.addEventListener(event, forget, { passive: true })
    return () => {
      for (const event of byHand) area?.removeEventListener(event, forget)
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are what the step waits for
  useEffect(() => onMessages(), [list.messages])
}

function stepOf({ altKey, shiftKey, ctrlKey, metaKey, isComposing, key }: KeyboardEvent): Step | undefined {
  if (!altKey || !shiftKey || ctrlKey || metaKey || isComposing) return undefined
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : undefined
}

const byHand = ['wheel', 'touchmove', 'pointerdown'] as const

/** The index that a step starts from: of the exchange that the last one led to, or with the focus, or being read. */
function placeIn({ messages, scroller, isAtEnd }: List, reached: string | undefined, by: Step): number {
  const area = scroller.current
  const view = area?.getBoundingClientRect()
  if (!area || !view) return messages.length
  const indexOf = (element: Element | null | undefined): number =>
    messages.findIndex(({ mId }) => mId === element?.getAttribute('data-message-id'))
  const active = document.activeElement
  const known = messages.findIndex(({ mId }) => mId === reached)
  if (known >= 0 && (active === document.body || area.contains(active))) return known
  const focused = area.contains(active) ? active?.closest('[data-message-id]') : null
  const box = focused?.getBoundingClientRect()
  if (box && box.bottom > view.top && box.top < view.bottom) return indexOf(focused)
  if (isAtEnd.current) return messages.length
  const read = [...area.querySelectorAll('[data-message-id]')].find(
    (element) => element.getBoundingClientRect().bottom > view.top + topPx,
  )
  const index = indexOf(read)
  if (!read || index < 0) return messages.length
  // Up from the middle of an answer is its own question.
  const isInside = read.getBoundingClientRect().top < view.top - topPx
  return by < 0 && isInside ? index + 1 : index
}
