import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Link } from './link'
import { paramsOf, pathTo } from './location'
import { Outlet } from './outlet'
import { createRouter, type Route, RouterContext, type Screen, useLocation, useParam } from './router'

beforeEach(() => history.replaceState(null, '', '/list'))
afterEach(cleanup)

/** A screen whose code comes when `arrive` is called. */
function laterScreen(text: string) {
  let arrive: () => void = () => undefined
  const screen: Screen = {
    load: () =>
      new Promise((resolve) => {
        arrive = () => {
          screen.component = () => <p>{text}</p>
          resolve()
        }
      }),
  }
  return { screen, arrive: () => act(async () => arrive()) }
}

function Thing() {
  return (
    <p>
      Thing {useParam('thingId')} of {useLocation(({ state }) => state.isFromList) ? 'the list' : 'a link'}
    </p>
  )
}

async function open(routes: readonly Route[] = []) {
  const router = createRouter([
    { path: '/list', screen: { component: () => <p>The list</p> } },
    { path: '/thing/$thingId', screen: { component: Thing } },
    ...routes,
    { path: '*', leadsTo: () => '/list' },
  ])
  await router.start()
  onTestFinished(router.stop)
  render(
    <RouterContext value={router}>
      <Outlet coming={<p>Coming</p>} />
      <Link to={pathTo('/thing/$thingId', { thingId: 'a b/c' })} state={{ isFromList: true }}>
        To the thing
      </Link>
    </RouterContext>,
  )
  return { router, go: (href: string) => act(async () => void router.navigate(href)) }
}

describe('a page', () => {
  it('is shown with the parts of its address, and as the current one by links to it', async () => {
    const user = userEvent.setup()
    await open()
    const link = screen.getByRole('link', { name: 'To the thing' })
    expect(link.getAttribute('aria-current')).toBeNull()
    await user.click(link)
    expect(screen.getByText('Thing a b/c of the list')).toBeTruthy()
    expect(location.pathname).toBe('/thing/a%20b%2Fc')
    expect(link.getAttribute('aria-current')).toBe('page')
  })

  it('is the browser’s to open with a modifier key', async () => {
    await open()
    const link = screen.getByRole('link', { name: 'To the thing' })
    for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, [key]: true })
      // After the link has seen it: otherwise the test's own page would be left.
      window.addEventListener('click', (event) => event.preventDefault(), { once: true })
      act(() => void link.dispatchEvent(click))
      expect([key, location.pathname]).toEqual([key, '/list'])
    }
  })

  it('replaces the one before it once its code is there, and is announced when that takes a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const later = laterScreen('Later')
    const { go } = await open([{ path: '/later', screen: later.screen }])
    await go('/later')
    expect(screen.getByText('The list')).toBeTruthy()
    await act(async () => vi.advanceTimersByTime(1_000))
    expect(screen.getByText('Coming')).toBeTruthy()
    await later.arrive()
    expect(screen.getByText('Later')).toBeTruthy()
  })

  it('does not appear over another one that was asked for since', async () => {
    const later = laterScreen('Later')
    const { go } = await open([{ path: '/later', screen: later.screen }])
    await go('/later')
    await go('/thing/1')
    await later.arrive()
    expect(screen.getByText('Thing 1 of a link')).toBeTruthy()
  })

  it('that leads elsewhere, or does not exist, leaves no entry in the history', async () => {
    const { go } = await open([{ path: '/old', leadsTo: () => '/thing/new' }])
    const entries = history.length
    await go('/old')
    expect(screen.getByText('Thing new of a link')).toBeTruthy()
    expect(history.length).toBe(entries + 1)
    await go('/nowhere')
    expect(screen.getByText('The list')).toBeTruthy()
  })

  it('that is shown already is no second entry, but with another message to show it is', async () => {
    const { router, go } = await open()
    await go('/thing/1')
    const entries = history.length
    await go('/thing/1')
    expect(history.length).toBe(entries)
    await act(() => router.navigate('/thing/1', { state: { mId: 'm', visit: 1 } }))
    await act(() => router.navigate('/thing/1', { state: { mId: 'm', visit: 2 } }))
    expect(history.length).toBe(entries + 2)
  })

  it('is opened whatever another program has left with its entry', async () => {
    for (const state of [7, 'text', { mId: 7, visit: 'x', isFromList: 'yes' }, [], { __TSR_index: 3 }]) {
      history.replaceState(state, '', '/thing/1')
      const { router } = await open()
      expect(router.shown().location.state).toEqual({})
      cleanup()
    }
  })
})

describe('a table of routes', () => {
  it('that leads in a circle is refused instead of hanging the page', async () => {
    history.replaceState(null, '', '/one')
    const router = createRouter([
      { path: '/one', leadsTo: () => '/two' },
      { path: '/two', leadsTo: () => '/one' },
    ])
    onTestFinished(router.stop)
    await expect(router.start()).rejects.toThrow('leads nowhere')
  })

  it('reads the parts of a path, also one that is written wrongly', () => {
    expect(paramsOf('/thing/$id', '/thing/a%20b/')).toEqual({ id: 'a b' })
    expect(paramsOf('/thing/$id', '/thing/100%')).toEqual({ id: '100%' })
    expect(paramsOf('/thing/$id', '/thing')).toBeUndefined()
    expect(paramsOf('/thing/$id', '/thing/a/b')).toBeUndefined()
    expect(paramsOf('/', '/')).toEqual({})
  })
})
