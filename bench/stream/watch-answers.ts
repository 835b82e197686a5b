type Moments = { shownAt: number; bareAt: number }

type StreamWatch = {
  /** Forgets what was seen before the next question. */
  expect(): void
  /** Milliseconds since 1970 at which the first text of the answer was in a painted frame. */
  shown(): Promise<Moments>
  /** Milliseconds of each task over 50 ms since `expect`. */
  longTasks(): number[]
}

declare global {
  interface Window {
    stream: StreamWatch
  }
}

/** Runs in the page before the app does. A bare text node shows what the socket brings, beside the app. */
export function watchAnswers(): void {
  const node = document.createTextNode('')
  let known = new Set<string | undefined>()
  let bareAt: number | undefined
  let shownAt: number | undefined
  let longTasks: number[] = []
  const now = (): number => performance.timeOrigin + performance.now()
  /** Once the frame is painted that shows what has changed now. */
  const afterPaint = (then: () => void): void =>
    void requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = then
      port2.postMessage(undefined)
    })

  const Socket = window.WebSocket
  window.WebSocket = class extends Socket {
    constructor(...given: ConstructorParameters<typeof Socket>) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || !data.includes('"event":"content"')) return
        // Once, for a node that grew on would be painted anew beside the answer that is measured.
        if (bareAt !== undefined) return
        bareAt = Number.NaN
        node.data = 'x'
        afterPaint(() => {
          bareAt = now()
        })
      })
    }
  }
  const idOf = (answer: Element) => answer.closest<HTMLElement>('[data-message-id]')?.dataset.messageId
  const answers = (): Element[] => [...document.querySelectorAll('[data-answer-text]')]
  const look = (): void => {
    if (shownAt !== undefined || !answers().some((each) => !known.has(idOf(each)) && each.textContent !== '')) return
    shownAt = Number.NaN
    afterPaint(() => {
      shownAt = now()
    })
  }
  document.addEventListener('DOMContentLoaded', () => {
    const host = document.createElement('div')
    host.style.cssText = 'position: fixed; inset-block-end: 0; inset-inline-end: 0; font: 8px monospace'
    host.append(node)
    document.body.append(host)
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration))
  }).observe({ type: 'longtask' })

  window.stream = {
    expect() {
      known = new Set(answers().map(idOf))
      bareAt = undefined
      shownAt = undefined
      longTasks = []
      node.data = ''
    },
    async shown() {
      while (bareAt === undefined || shownAt === undefined || Number.isNaN(bareAt + shownAt))
        await new Promise((resolve) => setTimeout(resolve, 5))
      return { shownAt, bareAt }
    },
    longTasks: () => longTasks,
  }
}
