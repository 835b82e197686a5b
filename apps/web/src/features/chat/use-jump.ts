import type { Message } from '@parley/contract/chat'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { TargetMessage } from '../../lib/selected-channel'

/** `isAtTop`: it is shown at the upper edge of the list instead of in its middle. */
export type Goal = TargetMessage & { isAtTop?: boolean }

type List = {
  messages: readonly Message[]
  scroller: RefObject<HTMLElement | null>
  virtualizer: RefObject<VirtualizerHandle | null>
}

/** The messages around the target are measured as they render: for this time the target is held in position. */
const holdMs = 1_200
/** The duration of the mark's fade-out. */
const markMs = 2_400
const topPx = 24

/**
 * Scrolls the target message into the middle of the list, focuses it, and marks it for a moment. A message that is
 * taller than the list is shown from its start. `onLeave`: the list must not follow its end any more. `onArrive`: the
 * message stands where it was to come, or the reader has scrolled away before. `isOnWay`: what the list shows until
 * then nobody sees; before the messages are measured it may go far past the target.
 */
export function useJump(
  target: Goal | undefined,
  { messages, scroller, virtualizer }: List,
  { onLeave, onArrive }: { onLeave: () => void; onArrive: () => void },
): { marked: string | undefined; isOnWay: () => boolean } {
  const [marked, setMarked] = useState<string>()
  const onWay = useRef<Goal>(undefined)
  const done = useRef<Goal>(undefined)
  const isHere = target !== undefined && messages.some(({ mId }) => mId === target.mId)

  // The last message is always rendered, outside of the virtualised part.
  const seek = useEffectEvent(({ mId: wanted, isAtTop }: Goal) => {
    const index = messages.findIndex(({ mId }) => mId === wanted)
    const align = isAtTop ? 'start' : 'center'
    if (index < messages.length - 1) virtualizer.current?.scrollToIndex(index, { align })
  })
  const arrive = useEffectEvent((target: Goal) => {
    if (onWay.current !== target) return
    onWay.current = undefined
    onArrive()
  })
  const jump = useEffectEvent((target: Goal) => {
    const area = scroller.current
    if (!area || done.current === target) return undefined
    onLeave()
    setMarked(undefined)
    onWay.current = target
    const stop = hold(area, {
      isAtTop: target.isAtTop ?? false,
      seek: () => seek(target),
      find: () => area.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(target.mId)}"]`),
      onReach: () => {
        done.current = target
        setMarked(target.mId)
      },
      onArrive: () => arrive(target),
    })
    return () => {
      stop()
      onWay.current = undefined
    }
  })

  // Once per visit, as soon as the message is loaded.
  useEffect(() => (isHere ? jump(target) : undefined), [target, isHere])

  useEffect(() => {
    if (marked === undefined) return
    const timer = setTimeout(() => setMarked(undefined), markMs)
    return () => clearTimeout(timer)
  }, [marked])

  const [isOnWay] = useState(() => () => onWay.current !== undefined)
  return { marked, isOnWay }
}

type Target = {
  isAtTop: boolean
  seek: () => void
  find: () => HTMLElement | null
  /** It has the focus. */
  onReach: () => void
  /** It has the focus and its position, or is not sought any more. */
  onArrive: () => void
}

/**
 * Older messages loaded above move the list away: the scroll is repeated after this number of frames without the
 * message.
 */
const seekEvery = 10

/** Each frame, until the reader scrolls or the time is over. */
function hold(area: HTMLElement, { isAtTop, seek, find, onReach, onArrive }: Target): () => void {
  let [isReached, until, absent] = [false, Number.POSITIVE_INFINITY, 0]
  let frame = requestAnimationFrame(function place(now) {
    const element = find()
    if (!element && absent++ % seekEvery === 0) seek()
    if (element) {
      until = Math.min(until, now + holdMs)
      const [box, view] = [element.getBoundingClientRect(), area.getBoundingClientRect()]
      const isFromTop = isAtTop || box.height > view.height - 2 * topPx
      const wantedTop = isFromTop ? topPx : (view.height - box.height) / 2
      const before = area.scrollTop
      area.scrollTop += box.top - view.top - wantedTop
      // As far as the list goes: the end may be nearer.
      const isInPlace = Math.abs(area.scrollTop - before) < 1
      // It cannot be focused before the list has measured it, and loses the focus when the list renders it again.
      if (!isReached || document.activeElement === document.body) element.focus({ preventScroll: true })
      if (!isReached && document.activeElement === element) {
        isReached = true
        onReach()
      }
      if (isReached && isInPlace) onArrive()
    }
    if (now < until) frame = requestAnimationFrame(place)
    else onArrive()
  })
  const stop = (): void => {
    cancelAnimationFrame(frame)
    for (const event of ends) area.removeEventListener(event, end)
  }
  const end = (): void => {
    stop()
    onArrive()
  }
  for (const event of ends) area.addEventListener(event, end, { passive: true })
  return stop
}
const ends = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
