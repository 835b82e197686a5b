import { useEffect, useState } from 'react'

/** The current day; changes at midnight, so that Today becomes Yesterday in a tab left open. */
export function useToday(): Date {
  const [today, setToday] = useState(() => new Date())
  useEffect(() => {
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1)
    const timer = setTimeout(() => setToday(new Date()), Math.max(1_000, midnight.getTime() - Date.now() + 500))
    // Timers are late after a sleep: the day is checked again when the page becomes visible.
    const look = () => setToday((before) => (before.toDateString() === new Date().toDateString() ? before : new Date()))
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [today])
  return today
}
