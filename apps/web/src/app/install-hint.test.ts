import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { hideAnswer, showAnswer } from '../data/chat/live-chat'
import { startI18n } from '../i18n/i18n'
import { useToasts } from '../ui/toast-store'
import { type InstallPrompt, offerInstall } from './install-hint'
import { showUnreadBadge } from './unread-badge'

beforeAll(startI18n)
beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  useToasts.setState({ toasts: [] })
  for (const name of ['standalone', 'maxTouchPoints', 'setAppBadge', 'clearAppBadge'])
    Reflect.deleteProperty(navigator, name)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const give = (name: string, value: unknown) => Object.defineProperty(navigator, name, { configurable: true, value })
const look = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}
let answered = 0

/** One answer of this tab, from its first word to its end. */
async function answer(channelId = 'c', isFollowed = false): Promise<void> {
  const mId = `m${answered++}`
  showAnswer({ mId, channelId, messageId: mId, phase: 'writing', content: '', isSaving: false, isFollowed })
  await vi.advanceTimersByTimeAsync(300)
  hideAnswer(mId, mId)
  await vi.advanceTimersByTimeAsync(300)
}
async function answerTimes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await answer()
}
const aPrompt = () =>
  Object.assign(new Event('beforeinstallprompt'), { prompt: vi.fn(async () => undefined) }) satisfies InstallPrompt
const hints = () => useToasts.getState().toasts

it('offers the installation once after five answers, and never again, whatever became of it', async () => {
  const prompt = aPrompt()
  offerInstall(() => prompt)
  await answerTimes(4)
  expect(hints()).toEqual([])
  await answer()
  await vi.waitFor(() => expect(hints()).toHaveLength(1))
  expect(hints()).toMatchObject([
    { text: 'Install Parley to open it like an app, also without a network.', action: { label: 'Install' } },
  ])
  hints()[0]?.action?.run()
  expect(prompt.prompt).toHaveBeenCalledOnce()
  useToasts.setState({ toasts: [] })
  // The next page.
  offerInstall(() => prompt)
  await answerTimes(6)
  expect(hints()).toEqual([])
})

it('says on an iPhone how it is done, and nothing where the browser cannot install or has', async () => {
  give('standalone', true)
  offerInstall(() => aPrompt())
  await answerTimes(6)
  expect(hints()).toEqual([])
  localStorage.clear()
  give('standalone', undefined)
  Reflect.deleteProperty(navigator, 'standalone')
  offerInstall(() => undefined)
  await answerTimes(6)
  expect(hints()).toEqual([])
  localStorage.clear()
  give('standalone', false)
  give('maxTouchPoints', 5)
  offerInstall(() => undefined)
  await answerTimes(5)
  await vi.waitFor(() => expect(hints()).toHaveLength(1))
  expect(hints()).toMatchObject([{ text: 'To install Parley, tap Share, then Add to Home Screen.' }])
})

it('the icon counts the chats with answers that ended while nobody looked, until somebody does', async () => {
  const [set, clear] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  give('setAppBadge', set)
  give('clearAppBadge', clear)
  showUnreadBadge()
  await answer('seen')
  expect(set).not.toHaveBeenCalled()
  look('hidden')
  await answer('a')
  await answer('a')
  await answer('b')
  // What others ask is theirs.
  await answer('c', true)
  expect(set.mock.calls).toEqual([[1], [1], [2]])
  clear.mockClear()
  look('visible')
  expect(clear).toHaveBeenCalledOnce()
})
