import { useEffect, useRef, useState } from 'react'

/** How often what depends on a draft is computed while the person types. */
const everyMs = 300

/** Throttles a value that changes with every key. An empty value is passed on at once. */
export function useNowAndThen(value: string): string {
  const [shown, setShown] = useState(value)
  const newest = useRef(value)
  const isPending = useRef(false)
  useEffect(() => {
    newest.current = value
    if (isPending.current || value === shown) return
    isPending.current = true
    setTimeout(() => {
      isPending.current = false
      setShown(newest.current)
    }, everyMs)
  }, [value, shown])
  return value === '' ? '' : shown
}
