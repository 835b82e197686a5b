import { isOver, type Message } from '@parley/contract/chat'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type ReadMark, readReadMark, writeReadMark } from '../../data/channels/read-marks'
import { type Arrival, arrivalsOf, firstNewOf, withArrivals } from './arrivals'

/** What the list shows. `isSeen`: whether it has been scrolled far enough down for this to be on screen. */
type ListView = { isAtEnd: boolean; isSeen: (arrival: Arrival) => boolean }

export type Reading = {
  /** The first that came since the person last looked at the channel, before this visit. */
  firstNew: Arrival | undefined
  /** What came below while the reader had scrolled up, and has not been on screen since. */
  below: readonly Arrival[]
  onView: (view: ListView) => void
  /** The message to go to as soon as the newest messages are shown. */
  wanted: RefObject<string | undefined>
}

const none: readonly Arrival[] = []

/**
 * How far the person has read the channel: what is new since the last visit, and what comes below while they read
 * farther up. `newest`: the newest messages of the channel, undefined until they have been read for this visit.
 */
export function useReading(channelId: string, newest: readonly Message[] | undefined): Reading {
  const [firstNew, setFirstNew] = useState<Arrival>()
  const [below, setBelow] = useState(none)
  const marks = useReadMark(channelId)
  const known = useRef<readonly Message[]>(undefined)
  const isAtEnd = useRef(true)
  const wanted = useRef<string>(undefined)

  const write = useCallback((): void => {
    const last = known.current?.at(-1)
    if (last && isAtEnd.current && document.visibilityState !== 'hidden') marks.write(last)
  }, [marks])
  const onView = useCallback(
    (view: ListView): void => {
      isAtEnd.current = view.isAtEnd
      setBelow((before) => {
        if (view.isAtEnd || before.length === 0) return none
        const left = before.filter((arrival) => !view.isSeen(arrival))
        return left.length === before.length ? before : left
      })
      write()
    },
    [write],
  )

  useEffect(() => {
    if (!newest) return
    const arrived = known.current ? arrivalsOf(known.current, newest) : []
    known.current = newest
    if (!isAtEnd.current) setBelow((before) => withArrivals(before, arrived, newest))
    write()
  }, [newest, write])

  const isLoaded = newest !== undefined
  useEffect(() => {
    if (!isLoaded) return
    let isGone = false
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return
      const mark = await marks.read()
      if (isGone) return
      const first = mark && known.current && firstNewOf(mark, known.current)
      if (first) setFirstNew(first)
      write()
    }
    void look()
    // Whoever comes back to the page looks at the channel again.
    document.addEventListener('visibilitychange', look)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', look)
    }
  }, [isLoaded, marks, write])

  return { firstNew, below, onView, wanted }
}

/** The channel's mark. It is written only after the mark of the last visit has been read. */
function useReadMark(channelId: string) {
  return useMemo(() => {
    let stored: ReadMark | 'none' | undefined
    return {
      read: async (): Promise<ReadMark | undefined> => {
        const mark = await readReadMark(channelId).catch(() => undefined)
        stored = mark ?? 'none'
        return mark
      },
      write: (last: Message): void => {
        if (stored === undefined) return
        const mark = { mId: last.mId, isOver: isOver(last) }
        if (stored !== 'none' && stored.mId === mark.mId && stored.isOver === mark.isOver) return
        stored = mark
        // A mark that cannot be stored shows a line too many at the next visit.
        writeReadMark(channelId, mark).catch(() => undefined)
      },
    }
  }, [channelId])
}
