const tails = new Map<string, Promise<unknown>>()

/** Runs one action at a time over all tabs of this browser, or over this tab where the browser has no Web Locks. */
export function withTabLock<T>(name: string, action: () => Promise<T>): Promise<T> {
  if (globalThis.navigator?.locks) return navigator.locks.request(`parley:${name}`, action)
  const before = tails.get(name) ?? Promise.resolve()
  const run = before.then(action, action)
  tails.set(
    name,
    run.catch(() => undefined),
  )
  return run
}
