/** As much of a browser as the web app's data needs: a page of this server. Answers what takes it away again. */
export function aPage(url: string, WebSocket: unknown): () => void {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const page = new EventTarget()
  const document = Object.assign(new EventTarget(), {
    documentElement: { lang: 'en-US' },
    visibilityState: 'visible',
    // Nothing is drawn.
    querySelector: () => null,
  })
  const { fetch } = globalThis
  const before = new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
  const added = {
    localStorage: storage,
    sessionStorage: storage,
    location: new URL(`${url}/app`),
    document,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
    navigator: { onLine: true },
    requestAnimationFrame: (paint: (now: number) => void) => setTimeout(() => paint(performance.now()), 16),
    WebSocket,
    fetch: (path: string, init?: RequestInit) => fetch(new URL(path, url), init),
  }
  Object.assign(globalThis, added)
  return () => {
    for (const name of Object.keys(added)) {
      const original = before.get(name)
      if (original) Object.defineProperty(globalThis, name, original)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
