import { afterAll } from 'vitest'
import { keptInWorker } from './kept'

// A page's timers end with its tab, as do its channels to other tabs. Those of a test file would run on after it, in
// the page of the next.

const open = keptInWorker('open', () => {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const channels = new Set<BroadcastChannel>()

  function recorded<Timer extends typeof setTimeout | typeof setInterval>(start: Timer): Timer {
    const record = (...given: Parameters<typeof setTimeout>) => {
      const timer = start(...given)
      timers.add(timer)
      return timer
    }
    return Object.assign(record, start)
  }

  globalThis.setTimeout = recorded(setTimeout)
  globalThis.setInterval = recorded(setInterval)
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name)
      channels.add(this)
    }
  }
  return { timers, channels }
})

afterAll(() => {
  for (const timer of open.timers) clearTimeout(timer)
  for (const channel of open.channels) channel.close()
  open.timers.clear()
  open.channels.clear()
})
