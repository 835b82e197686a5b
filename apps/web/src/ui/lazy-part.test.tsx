import { act, cleanup, render, screen } from '@testing-library/react'
import { type FunctionComponent, Suspense, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startI18n } from '../i18n/i18n'
import { lazyExtra, lazyPart, loadPart, preloadableExtra, retryMs, triesBeforeReload } from './lazy-part'
import { useToasts } from './toast-store'

beforeAll(startI18n)
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  useToasts.setState({ toasts: [], confirmations: [] })
})

const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms))

/** Fails so many times, then gives the component. */
function failing(times: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>Here</p> }
  })
  return load
}

it('shows a part that could not be loaded at first as soon as it can be, and says so once', async () => {
  const Part = lazyPart(failing(3))
  render(
    <Suspense fallback="Waiting">
      <Part />
    </Suspense>,
  )
  await pass(retryMs.first)
  expect(screen.getByText('Waiting')).toBeTruthy()
  expect(useToasts.getState().toasts).toMatchObject([
    { tone: 'error', text: 'This could not be loaded. It opens as soon as the connection is back.' },
  ])
  await pass(retryMs.first * 6)
  expect(screen.getByText('Here')).toBeTruthy()
  expect(useToasts.getState().toasts).toHaveLength(1)
})

it('does not wait for its next try when the browser is online again', async () => {
  const load = failing(5)
  const loading = loadPart(load)
  await pass(retryMs.first * 15)
  expect(load).toHaveBeenCalledTimes(5)
  dispatchEvent(new Event('online'))
  expect(await loading).toHaveProperty('default')
})

it('offers a reload when it is hardly the network, once', async () => {
  const Part = lazyPart(failing(triesBeforeReload + 5))
  render(
    <Suspense>
      <Part />
    </Suspense>,
  )
  await pass(retryMs.first * 16 - 1)
  expect(useToasts.getState().confirmations).toEqual([])
  await pass(retryMs.longest * 10)
  expect(useToasts.getState().confirmations).toMatchObject([
    { kind: 'reload', message: 'A part of the app still cannot be loaded. Reload the page?' },
  ])
})

it('says nothing about what the page gets along without', async () => {
  const Extra = lazyExtra(failing(triesBeforeReload + 1))
  render(
    <Suspense>
      <Extra />
    </Suspense>,
  )
  await pass(retryMs.longest * 10)
  expect(screen.getByText('Here')).toBeTruthy()
  expect(useToasts.getState()).toMatchObject({ toasts: [], confirmations: [] })
})

it('is shown once what it is to wait for is over', async () => {
  let end = (): void => undefined
  const before = new Promise<void>((resolve) => {
    end = resolve
  })
  const Part = lazyPart(failing(0), () => before)
  render(
    <Suspense fallback="Waiting">
      <Part />
    </Suspense>,
  )
  await pass(retryMs.first)
  expect(screen.getByText('Waiting')).toBeTruthy()
  end()
  await pass(0)
  expect(screen.getByText('Here')).toBeTruthy()
})

let begun = 0

/** Says how many of it had begun when it did. */
function Counted({ text }: { text: string }) {
  const [at] = useState(() => ++begun)
  return (
    <p>
      {text} {at}
    </p>
  )
}

describe('a part that can be loaded before it is shown', () => {
  function aPart() {
    begun = 0
    const load = vi.fn(async () => ({ default: Counted }))
    return { load, ...preloadableExtra(load) }
  }
  const shown = (Part: FunctionComponent<{ text: string }>, text: string) => (
    <Suspense fallback="Waiting">
      <Part text={text} />
    </Suspense>
  )

  it('is drawn at once when it was', async () => {
    const { load, Part, preload } = aPart()
    await Promise.all([preload(), preload()])
    render(shown(Part, 'Here'))
    expect(screen.getByText('Here 1')).toBeTruthy()
    expect(load).toHaveBeenCalledOnce()
  })

  it('comes as soon as it is there when it was not, and goes on as it began', async () => {
    const { load, Part, preload } = aPart()
    const { rerender } = render(shown(Part, 'Here'))
    expect(screen.getByText('Waiting')).toBeTruthy()
    await pass(0)
    await preload()
    rerender(shown(Part, 'Still here'))
    expect(screen.getByText('Still here 1')).toBeTruthy()
    expect(load).toHaveBeenCalledOnce()
  })
})
