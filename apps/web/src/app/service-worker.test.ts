import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { aMessage } from '../data/channels/channel-store-suite'
import { dropTemporary, openTemporary } from '../data/channels/temporary-chats'
import { hideAnswer, showAnswer } from '../data/chat/live-chat'
import { startI18n } from '../i18n/i18n'
import { reloadApp } from '../lib/reload-app'
import { useToasts } from '../ui/toast-store'
import { followVersions } from './service-worker'

/** A worker of the browser: the one of a build that was deployed. */
class FakeWorker extends EventTarget {
  state: ServiceWorkerState = 'installing'
  constructor(
    private readonly container: FakeContainer,
    private readonly build = 'build-1',
  ) {
    super()
  }
  install(): void {
    this.state = 'installed'
    this.container.registration.installing = null
    this.container.registration.waiting = this
    this.dispatchEvent(new Event('statechange'))
  }
  postMessage(message: { type: string }, [port]: MessagePort[] = []): void {
    if (message.type === 'SKIP_WAITING') this.container.take(this)
    if (message.type === 'TAB_BEGUN') port?.postMessage(this.build)
  }
}

/** What a browser holds of the app: which build serves its pages, which one waits. */
class FakeContainer extends EventTarget {
  controller: FakeWorker | null = new FakeWorker(this)
  /** On the server there is a build that this browser has not seen. */
  hasNewBuild = false
  registration = Object.assign(new EventTarget(), {
    installing: null as FakeWorker | null,
    waiting: null as FakeWorker | null,
    update: vi.fn(async () => {
      if (!this.hasNewBuild) return
      this.hasNewBuild = false
      this.registration.installing = new FakeWorker(this)
      this.registration.dispatchEvent(new Event('updatefound'))
    }),
  })
  register = async () => this.registration
  getRegistration = async () => this.registration
  take(worker: FakeWorker): void {
    worker.state = 'activated'
    this.registration.waiting = null
    this.controller = worker
    this.dispatchEvent(new Event('controllerchange'))
  }
}

const questions = () => useToasts.getState().confirmations
let container: FakeContainer
let reload: ReturnType<typeof vi.spyOn>
const follow = () => followVersions(container as unknown as ServiceWorkerContainer)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeAll(startI18n)
beforeEach(() => {
  container = new FakeContainer()
  document.head.innerHTML = '<meta name="parley-build" content="build-1">'
  document.body.innerHTML = ''
  history.replaceState(null, '', '/app')
  // Messages between page and worker are as real as they are quick.
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'requestAnimationFrame'],
  })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container })
  reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  useToasts.setState({ toasts: [], confirmations: [] })
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('Reload lets the version that waits take over before the page loads anew', async () => {
  const second = new FakeWorker(container)
  second.install()
  const done = reloadApp()
  expect(reload).not.toHaveBeenCalled()
  await done
  expect(container.controller).toBe(second)
  expect(reload).toHaveBeenCalledOnce()
})

it('Reload fetches a version that this browser has not seen, and waits until it is there', async () => {
  container.hasNewBuild = true
  const done = reloadApp()
  await pass(0)
  const second = container.registration.installing
  expect(reload).not.toHaveBeenCalled()
  second?.install()
  await done
  expect(container.controller).toBe(second)
  expect(reload).toHaveBeenCalledOnce()
})

it('Reload waits five seconds for a server that does not answer, and no longer', async () => {
  container.registration.update.mockReturnValue(new Promise(() => undefined))
  const done = reloadApp()
  await pass(4_999)
  expect(reload).not.toHaveBeenCalled()
  await pass(1)
  await done
  expect(reload).toHaveBeenCalledOnce()
})

it('an app that stays open hears of a new version within the hour, and when somebody comes back to it', async () => {
  await follow()
  container.hasNewBuild = true
  await pass(60 * 60_000)
  container.registration.installing?.install()
  await pass(0)
  expect(questions()).toMatchObject([{ message: 'A new version is ready. Reload to use it.' }])
  container.registration.update.mockClear()
  dispatchEvent(new Event('focus'))
  expect(container.registration.update).not.toHaveBeenCalled()
  await pass(11 * 60_000)
  dispatchEvent(new Event('focus'))
  expect(container.registration.update).toHaveBeenCalledOnce()
})

it.each([
  ['nobody looks at it', 'hidden', 1, 0],
  ['somebody works in it', 'visible', 0, 1],
] as const)(
  'another tab has taken a new version, and %s (%s): reloaded %d times, asked %d times',
  async (_how, state, reloads, offers) => {
    await follow()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    container.take(new FakeWorker(container))
    await pass(0)
    expect(reload).toHaveBeenCalledTimes(reloads)
    expect(questions()).toHaveLength(offers)
  },
)

it.each([
  ['a dialog is open in it', () => document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>')],
  ['it shows a page with a form', () => history.replaceState(null, '', '/sui-assistant/create')],
])(
  'a tab that nobody looks at is asked instead of reloaded where a reload would lose something: %s',
  async (_what, open) => {
    await follow()
    open()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    container.take(new FakeWorker(container))
    await pass(0)
    expect([reload.mock.calls.length, questions().length]).toEqual([0, 1])
  },
)

it('a tab that nobody looks at is asked instead of reloaded while it has a temporary chat', async () => {
  const { store } = await openTemporary()
  const { id } = await store.create({ assistantId: null })
  await store.put(aMessage(id))
  await follow()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  container.take(new FakeWorker(container))
  await pass(0)
  expect([reload.mock.calls.length, questions().length]).toEqual([0, 1])
  dropTemporary()
})

it.each(['visible', 'hidden'] as const)(
  'nothing is offered and nothing reloaded while an answer is written in the tab (%s)',
  async (state) => {
    await follow()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    showAnswer({ mId: 'm', channelId: 'c', messageId: 'r', phase: 'writing', content: 'So', isSaving: false })
    await pass(300)
    container.take(new FakeWorker(container))
    await pass(60_000)
    expect([reload.mock.calls.length, questions().length]).toEqual([0, 0])
    hideAnswer('m', 'r')
    await pass(300)
    expect([reload.mock.calls.length, questions().length]).toEqual(state === 'hidden' ? [1, 0] : [0, 1])
  },
)

it('an offer that was not taken is made again, an hour later at the earliest', async () => {
  await follow()
  container.hasNewBuild = true
  await pass(60 * 60_000)
  container.registration.installing?.install()
  await pass(0)
  questions()[0]?.settle(false)
  await pass(59 * 60_000)
  dispatchEvent(new Event('online'))
  await pass(0)
  expect(questions()).toEqual([])
  await pass(12 * 60_000)
  expect(questions()).toHaveLength(1)
  dispatchEvent(new Event('focus'))
  await pass(0)
  expect(questions()).toHaveLength(1)
})

it('a tab that began while another one took a new version hears of it when it looks', async () => {
  container.controller = new FakeWorker(container, 'build-2')
  await follow()
  await pass(0)
  expect(questions()).toHaveLength(1)
})

it('the first visit of a browser reloads nothing and offers nothing', async () => {
  container.controller = null
  await follow()
  const first = new FakeWorker(container)
  container.registration.installing = first
  container.registration.dispatchEvent(new Event('updatefound'))
  first.install()
  container.take(first)
  await pass(0)
  expect([reload.mock.calls.length, questions().length]).toEqual([0, 0])
})
