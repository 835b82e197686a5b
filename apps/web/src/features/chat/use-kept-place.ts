import type { Message } from '@parley/contract/chat'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useSelectChannel } from '../../lib/selected-channel'
import { useVersionVisit, type VersionVisit, versionVisit } from './version-visit'

type List = {
  messages: readonly Message[]
  scroller: RefObject<HTMLElement | null>
  content: RefObject<HTMLElement | null>
  virtualizer: RefObject<VirtualizerHandle | null>
}

type KeptPlace = {
  /** The list must not scroll by itself now. */
  isHeld: () => boolean
  /** Gives back the room below the last message that a shorter version has left. */
  release: () => void
  onScroll: () => void
}

/**
 * The messages of another version are measured as they render: the control is held where it was until nothing has moved
 * it for `holdMs` and, because a busy machine draws few frames in that time, for as many frames as a quick one draws
 * meanwhile; and not for longer than `mostHoldMs`.
 */
const [holdMs, holdFrames, mostHoldMs] = [700, 40, 10_000]
/** After so many frames without the message the scroll is repeated, and given up at last. */
const [seekEvery, mostFrames] = [10, 180]

/**
 * Keeps the control with which somebody has changed a version where it was on screen, and the focus on it: the messages
 * below it, or its own, are others then. Where the loaded messages are all of another path, the list goes to it.
 * `onLeave`: the list must not follow its end any more.
 */
export function useKeptPlace({ messages, scroller, content, virtualizer }: List, onLeave: () => void): KeptPlace {
  const visit = useVersionVisit()
  const select = useSelectChannel()
  const held = useRef<{ end: () => void; isStill: boolean }>(undefined)

  const keep = useEffectEvent((found: VersionVisit) => {
    const [area, inner] = [scroller.current, content.current]
    if (!area || !inner) return
    held.current?.end()
    if (found.top !== undefined) onLeave()
    const seek = (): void => {
      const index = messages.findIndex(({ mId }) => mId === found.mId)
      // The last message is outside of the virtualised part, and always rendered.
      if (index >= 0 && index < messages.length - 1) virtualizer.current?.scrollToIndex(index, { align: 'center' })
    }
    let isOver = false
    const end = hold({ area, inner, visit: found, seek }, () => {
      isOver = true
      held.current = undefined
    })
    if (!isOver) held.current = { end, isStill: found.top !== undefined }
  })
  const look = useEffectEvent((found: VersionVisit) => {
    if (found.isShownIn(messages)) {
      versionVisit.end(found)
      keep(found)
    } else if (found.isMissingIn?.(messages)) {
      versionVisit.end(found)
      select(found.channelId, { mId: found.mId, replace: true })
    }
  })
  // Before the list follows its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are the reason to look again
  useLayoutEffect(() => {
    if (visit) look(visit)
  }, [visit, messages])
  useEffect(() => () => held.current?.end(), [])

  return {
    isHeld: () => held.current?.isStill === true,
    release: () => {
      if (content.current) content.current.style.minBlockSize = ''
    },
    onScroll: () => {
      const [area, inner] = [scroller.current, content.current]
      if (!area || !inner || held.current?.isStill || inner.style.minBlockSize === '') return
      const end = (inner.lastElementChild?.getBoundingClientRect().bottom ?? 0) - inner.getBoundingClientRect().top
      const wanted = Math.min(area.scrollTop + area.clientHeight, Number.parseFloat(inner.style.minBlockSize))
      inner.style.minBlockSize = wanted > end ? `${wanted}px` : ''
    },
  }
}

type Held = { area: HTMLElement; inner: HTMLElement; visit: VersionVisit; seek: () => void }

/** Each frame, until the reader scrolls or the time is over. */
function hold({ area, inner, visit: { mId, part, top, focus }, seek }: Held, onEnd: () => void): () => void {
  let [isFocused, absent] = [false, 0]
  /** When the message was there, when something moved it last, and how many frames have been drawn since then. */
  let [since, movedAt]: (number | undefined)[] = []
  let stillFrames = 0
  let frame = 0
  const end = (): void => {
    cancelAnimationFrame(frame)
    delete inner.dataset.settling
    for (const event of ends) area.removeEventListener(event, end)
    onEnd()
  }
  const place = (now: number): void => {
    const article = area.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(mId)}"]`)
    const group = article?.querySelector<HTMLElement>(`[data-versions=${part}]`)
    const anchor = group ?? article
    if (!anchor && absent++ % seekEvery === 0) seek()
    if (anchor && (group || top === undefined)) {
      since ??= now
      const hasMoved = top !== undefined && scrollBy(area, inner, anchor.getBoundingClientRect().top - top)
      if (movedAt === undefined || hasMoved) [movedAt, stillFrames] = [now, 0]
      else stillFrames++
      const target = (focus !== 'message' && group?.querySelector<HTMLElement>(`[data-step=${focus}]`)) || article
      // What the list has not measured yet cannot be focused, and it may render it again.
      if (!isFocused || document.activeElement === document.body) target?.focus({ preventScroll: true })
      isFocused ||= document.activeElement === target
    }
    const isStill = movedAt !== undefined && now - movedAt >= holdMs && stillFrames >= holdFrames
    const isOver = isStill || (since !== undefined && now - since >= mostHoldMs) || absent >= mostFrames
    if (isOver) end()
    else frame = requestAnimationFrame(place)
  }
  for (const event of ends) area.addEventListener(event, end, { passive: true })
  inner.dataset.settling = ''
  place(performance.now())
  return end
}

/** A shorter version leaves room below, so that what is read does not move down. False where it is in its place. */
function scrollBy(area: HTMLElement, inner: HTMLElement, px: number): boolean {
  if (Math.abs(px) < 1) return false
  const wanted = area.scrollTop + px
  if (wanted > area.scrollHeight - area.clientHeight) inner.style.minBlockSize = `${wanted + area.clientHeight}px`
  area.scrollTop = wanted
  return true
}

const ends = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
