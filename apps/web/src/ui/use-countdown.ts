import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls `onEnd` after `ms` that were not paused. Undefined: never. */
export function useCountdown(ms: number | undefined, isPaused: boolean, onEnd: () => void): void {
  const left = useRef(ms)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    if (left.current === undefined || isPaused) return
    const started = performance.now()
    const timer = setTimeout(() => end(), left.current)
    return () => {
      clearTimeout(timer)
      if (left.current !== undefined) left.current = Math.max(0, left.current - (performance.now() - started))
    }
  }, [isPaused])
}
