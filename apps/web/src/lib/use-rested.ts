import { useEffect, useState } from 'react'

/** The value once it has not changed for this long; undefined at first. */
export function useRested<T>(value: T, restMs: number): T | undefined {
  const [rested, setRested] = useState<T>()
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return rested
}
