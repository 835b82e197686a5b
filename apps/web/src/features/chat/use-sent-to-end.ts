import { type RefObject, useEffect, useState } from 'react'

type SentToEnd = { isOnWay: () => boolean; begin: () => void; end: () => void }

/** An animation scrolls in each frame; a busy machine leaves out a few. */
const stillFrames = 6
/** No browser animates a scroll for longer; text that grows at the end scrolls the list as well. */
const longestMs = 1_000

/**
 * Whether the reader has sent the list to its end and is on the way there: an animated scroll that was under way goes
 * on for some frames, and would take the list away again. Over as soon as nothing moves any more, or they move it
 * by hand.
 */
export function useSentToEnd(scroller: RefObject<HTMLElement | null>): SentToEnd {
  const [way] = useState(() => wayToEnd(scroller))
  useEffect(() => {
    const area = scroller.current
    for (const event of byHand) area?.addEventListener(event, way.end, { passive: true })
    return () => {
      way.end()
      for (const event of byHand) area?.removeEventListener(event, way.end)
    }
  }, [scroller, way])
  return way
}

function wayToEnd(scroller: RefObject<HTMLElement | null>): SentToEnd {
  let frame: number | undefined
  let still = 0
  const onScroll = (): void => {
    still = 0
  }
  const end = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    scroller.current?.removeEventListener('scroll', onScroll)
  }
  const begin = (): void => {
    end()
    still = 0
    const until = performance.now() + longestMs
    const look = (now: number): void => {
      if (still++ >= stillFrames || now > until) end()
      else frame = requestAnimationFrame(look)
    }
    frame = requestAnimationFrame(look)
    scroller.current?.addEventListener('scroll', onScroll, { passive: true })
  }
  return { isOnWay: () => frame !== undefined, begin, end }
}

const byHand = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
