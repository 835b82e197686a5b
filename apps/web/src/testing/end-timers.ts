import { afterAll } from 'vitest'

// A page's timers end with its tab. Those of a test file would run on after it, in an environment that is gone.

const pending = new Set<ReturnType<typeof setTimeout>>()

function recorded<Timer extends typeof setTimeout | typeof setInterval>(start: Timer): Timer {
  const record = (...given: Parameters<typeof setTimeout>) => {
    const timer = start(...given)
    pending.add(timer)
    return timer
  }
  return Object.assign(record, start)
}

globalThis.setTimeout = recorded(setTimeout)
globalThis.setInterval = recorded(setInterval)
afterAll(() => {
  for (const timer of pending) clearTimeout(timer)
})
