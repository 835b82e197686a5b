import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GooglePopupError, signInWithGoogle, tokenFrom } from './google-sign-in'

const url = 'https://accounts.example.com/o/oauth2/v2/auth?state=s1'

/** A window of this browser as far as the opener uses it; a message event accepts a real one as its source only. */
function aPopup(): { popup: Window; frame: HTMLIFrameElement; navigated: string[]; state: { closed: boolean } } {
  const frame = document.body.appendChild(document.createElement('iframe'))
  if (!frame.contentWindow) throw new Error('no window')
  const real = frame.contentWindow
  const navigated: string[] = []
  const state = { closed: false }
  vi.spyOn(real, 'close').mockImplementation(() => {
    state.closed = true
  })
  const popup = new Proxy(real, {
    get(target, key) {
      if (key === 'closed') return state.closed
      if (key === 'close') return target.close
      if (key === 'location')
        return {
          set href(address: string) {
            navigated.push(address)
          },
        }
      return Reflect.get(target, key)
    },
  })
  return { popup, frame, navigated, state }
}

type Message = { data: unknown; origin?: string; source?: Window | null }

function say(popup: Window, { data, origin = location.origin, source = popup }: Message): void {
  const event = new MessageEvent('message', { data, origin })
  Object.defineProperty(event, 'source', { value: source })
  dispatchEvent(event)
}

const success = { type: 'GOOGLE_AUTH_SUCCESS', token: 'id-token', state: 's1' }

/** What has come of it so far. */
function watched(promise: Promise<string | undefined>): { result: unknown } {
  const seen: { result: unknown } = { result: 'waiting' }
  promise.then(
    (token) => {
      seen.result = token
    },
    (error: unknown) => {
      seen.result = error instanceof GooglePopupError ? error.reason : error
    },
  )
  return seen
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const frame of document.querySelectorAll('iframe')) frame.remove()
  sessionStorage.clear()
})

describe('the wait for the popup', () => {
  it("leads it to the provider's page and takes its token [AG-155, AG-156]", async () => {
    const { popup, navigated } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    say(popup, { data: success })
    await settle()
    expect(seen.result).toBe('id-token')
    expect(navigated).toEqual([url])
  })

  it.each<[what: string, message: Message]>([
    ['of a foreign origin', { data: success, origin: 'https://evil.example' }],
    ['of a foreign window', { data: success, source: window }],
    ['of no window', { data: success, source: null }],
    ['about another sign-in', { data: { ...success, state: 's2' } }],
    ['without a state', { data: { type: success.type, token: 'id-token' } }],
    ['of another kind', { data: { type: 'SOMETHING', token: 'id-token', state: 's1' } }],
    ['without a token', { data: { type: success.type, state: 's1' } }],
    [
      'that is an error of another sign-in',
      { data: { type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state: 's2' } },
    ],
  ])('hears no message %s [AG-156]', async (_what, message) => {
    const { popup } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    say(popup, message)
    await settle()
    expect(seen.result).toBe('waiting')
    say(popup, { data: success })
    await settle()
    expect(seen.result).toBe('id-token')
  })

  it("ends with the provider's error [AG-156, AG-159]", async () => {
    const { popup } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    say(popup, { data: { type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state: 's1' } })
    await settle()
    expect(seen.result).toBe('refused')
  })

  it('times out after 180000 ms [AG-157]', async () => {
    const { popup } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    await vi.advanceTimersByTimeAsync(179_999)
    expect(seen.result).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.result).toBe('timeout')
    say(popup, { data: success })
    await settle()
    expect(seen.result).toBe('timeout')
  })

  it('ends quietly when the person closes the window', async () => {
    const { popup, state } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    state.closed = true
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen.result).toBeUndefined()
  })

  it('hears a message that comes after the window was seen to be gone [AG-156]', async () => {
    const { popup, state } = aPopup()
    const seen = watched(tokenFrom(popup, url, 's1'))
    state.closed = true
    await vi.advanceTimersByTimeAsync(500)
    say(popup, { data: success })
    await settle()
    expect(seen.result).toBe('id-token')
  })

  it('ends when the window cannot be led anywhere [AG-162]', async () => {
    const { popup } = aPopup()
    const shut = new Proxy(popup, {
      get(target, key) {
        if (key !== 'location') return Reflect.get(target, key)
        return {
          set href(_address: string) {
            throw new DOMException('denied', 'SecurityError')
          },
        }
      },
    })
    const seen = watched(tokenFrom(shut, url, 's1'))
    await settle()
    expect(seen.result).toBe('not-opened')
  })
})

describe('the sign-in', () => {
  it('opens a window of 500x600 in the click itself, before anything is asked of the server [AG-154]', async () => {
    const { popup } = aPopup()
    const open = vi.spyOn(window, 'open').mockReturnValue(popup)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    const attempt = signInWithGoogle()
    expect(open).toHaveBeenCalledOnce()
    expect(open.mock.calls[0]?.[2]).toMatch(/^popup,width=500,height=600,/)
    await expect(attempt).rejects.toMatchObject({ code: 'network' })
    expect(popup.closed).toBe(true)
  })

  it('says that windows are blocked, and asks nothing of the server then [AG-161]', async () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    vi.spyOn(window, 'open').mockReturnValue(null)
    await expect(signInWithGoogle()).rejects.toMatchObject({ reason: 'blocked' })
    expect(fetch).not.toHaveBeenCalled()
  })

  it('keeps the google-login-redirect flag while it runs, trades the token for a session and closes the window [AG-158, AG-163]', async () => {
    vi.useRealTimers()
    const { popup, navigated } = aPopup()
    vi.spyOn(window, 'open').mockReturnValue(popup)
    const flags: (string | null)[] = []
    const calls: [path: string, body: unknown][] = []
    const session = {
      access_token: 'a',
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 900,
      user: aUser,
      vault_key: 'k',
    }
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      flags.push(sessionStorage.getItem('google-login-redirect'))
      calls.push([path, typeof init.body === 'string' ? JSON.parse(init.body) : undefined])
      return Response.json(path.endsWith('/start') ? { url, state: 's1' } : session)
    })
    const signedIn = signInWithGoogle()
    await vi.waitFor(() => expect(navigated).toEqual([url]))
    say(popup, { data: success })
    expect(await signedIn).toMatchObject({ access_token: 'a', user: { email: 'marina@example.com' } })
    expect(flags).toEqual(['true', 'true'])
    expect(sessionStorage.getItem('google-login-redirect')).toBeNull()
    expect(calls).toEqual([
      ['/api/auth/google/start', undefined],
      ['/api/auth/google/login', { token: 'id-token', deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ])
    expect(popup.closed).toBe(true)
  })
})

const aUser = {
  id: '0193f000-0000-7000-8000-000000000001',
  email: 'marina@example.com',
  name: 'Marina Duarte',
  language: 'en-US',
  email_confirmed: true,
  has_password: false,
  user_metadata: {},
  app_metadata: { kind: 'google' },
}

describe('the callback page', () => {
  /** Runs the page's script in a frame that has the address which the provider leads to. */
  async function messageOf(hash: string): Promise<unknown> {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const posted: unknown[] = []
    const source = await (await fetch('/google-callback.js')).text()
    const replaced = vi.fn()
    const closed = vi.fn()
    const fake = {
      location: { hash, origin: location.origin, pathname: '/google-callback.html' },
      history: { replaceState: replaced },
      window: { opener: { postMessage: (...message: unknown[]) => posted.push(message) }, close: closed },
    }
    new Function('location', 'history', 'window', source)(fake.location, fake.history, fake.window)
    frame.remove()
    expect(closed).toHaveBeenCalledOnce()
    expect(replaced).toHaveBeenCalledWith(null, '', '/google-callback.html')
    return posted[0]
  }

  it('tells its opener, and only a page of this origin, the token and the state [AG-154, AG-156]', async () => {
    vi.useRealTimers()
    expect(await messageOf('#state=s1&id_token=a.b.c&authuser=0')).toEqual([
      { type: 'GOOGLE_AUTH_SUCCESS', token: 'a.b.c', state: 's1' },
      location.origin,
    ])
  })

  it('or the error [AG-156]', async () => {
    vi.useRealTimers()
    expect(await messageOf('#error=access_denied&state=s1')).toEqual([
      { type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state: 's1' },
      location.origin,
    ])
    expect(await messageOf('')).toEqual([{ type: 'GOOGLE_AUTH_ERROR', error: 'unknown', state: '' }, location.origin])
  })
})
