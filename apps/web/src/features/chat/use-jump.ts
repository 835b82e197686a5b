import type { Message } from '@parley/contract/chat'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { WantedMessage } from '../../lib/selected-channel'

type List = {
  messages: readonly Message[]
  scroller: RefObject<HTMLElement | null>
  virtualizer: RefObject<VirtualizerHandle | null>
}

/** Messages around it get their size as they are drawn: so long the wanted one is held in its place. */
const holdMs = 1_200
/** As long as the mark fades. */
const markMs = 2_400
const topPx = 24

/**
 * Brings the wanted message into the middle of the list, focuses it, and marks it for a moment. A message that is taller than the list is shown from its
 * beginning. `onLeave`: the list is not to follow its end any more. Answers the id of the message that is marked.
 */
export function useJump(wanted: WantedMessage | undefined, { messages, scroller, virtualizer }: List, onLeave: () => void): string | undefined {
  const [marked, setMarked] = useState<string>()
  const done = useRef<WantedMessage>(undefined)
  const isHere = wanted !== undefined && messages.some(({ mId }) => mId === wanted.mId)

  // The last one is always there, outside the virtualised part.
  const seek = useEffectEvent((target: WantedMessage) => {
    const index = messages.findIndex(({ mId }) => mId === target.mId)
    if (index < messages.length - 1) virtualizer.current?.scrollToIndex(index, { align: 'center' })
  })
  const jump = useEffectEvent((target: WantedMessage) => {
    const area = scroller.current
    if (!area || done.current === target) return undefined
    onLeave()
    setMarked(undefined)
    return hold(area, {
      seek: () => seek(target),
      find: () => area.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(target.mId)}"]`),
      onReach: () => {
        done.current = target
        setMarked(target.mId)
      },
    })
  })

  // Once for each visit, as soon as the message is there.
  useEffect(() => (isHere ? jump(wanted) : undefined), [wanted, isHere])

  useEffect(() => {
    if (marked === undefined) return
    const timer = setTimeout(() => setMarked(undefined), markMs)
    return () => clearTimeout(timer)
  }, [marked])

  return marked
}

type Target = { seek: () => void; find: () => HTMLElement | null; onReach: () => void }

/** Older messages that come in above move the list away again: it is sent anew after so many frames without the message. */
const seekEvery = 10

/** Frame by frame, until the reader scrolls or the time is over. */
function hold(area: HTMLElement, { seek, find, onReach }: Target): () => void {
  let [isReached, until, absent] = [false, Number.POSITIVE_INFINITY, 0]
  let frame = requestAnimationFrame(function place(now) {
    const element = find()
    if (!element && absent++ % seekEvery === 0) seek()
    if (element) {
      until = Math.min(until, now + holdMs)
      const [box, view] = [element.getBoundingClientRect(), area.getBoundingClientRect()]
      const wantedTop = box.height > view.height - 2 * topPx ? topPx : (view.height - box.height) / 2
      area.scrollTop += box.top - view.top - wantedTop
      // It takes no focus before the list has measured it, and loses it where the list draws it anew.
      if (!isReached || document.activeElement === document.body) element.focus({ preventScroll: true })
      if (!isReached && document.activeElement === element) {
        isReached = true
        onReach()
      }
    }
    if (now < until) frame = requestAnimationFrame(place)
  })
  const end = (): void => {
    cancelAnimationFrame(frame)
    for (const event of ends) area.removeEventListener(event, end)
  }
  for (const event of ends) area.addEventListener(event, end, { passive: true })
  return end
}
const ends = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
