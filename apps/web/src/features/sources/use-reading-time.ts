import type { Source } from '@parley/contract/sources'
import { useState } from 'react'

type Sample = { at: number; done: number }

/**
 * In how many seconds these sources are read, as their progress goes; undefined while nobody can know. `now`: in
 * milliseconds.
 */
export function useReadingTime(reading: readonly Source[], now: () => number = Date.now): number | undefined {
  const [first] = useState(() => new Map<string, Sample>())
  const at = now()
  const times = reading.map(({ id, progress }) => {
    if (!progress) return undefined
    const begun = first.get(id)
    if (!begun || progress.done < begun.done) {
      first.set(id, { at, done: progress.done })
      return undefined
    }
    return secondsLeft(begun, { at, done: progress.done }, progress.of)
  })
  // What is read at the same time ends with the last one.
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...times.map((time) => time ?? 0))
}

function secondsLeft(from: Sample, to: Sample, of: number): number | undefined {
  const done = to.done - from.done
  const ms = to.at - from.at
  if (done <= 0 || ms < 1_000) return undefined
  return Math.max(1, Math.ceil(((of - to.done) * ms) / done / 1_000))
}

/** As exact as a guess may be: to 5 seconds, from a minute on to 10. */
export function roundedSeconds(seconds: number): number {
  const step = seconds < 10 ? 1 : seconds < 60 ? 5 : 10
  return Math.ceil(seconds / step) * step
}
