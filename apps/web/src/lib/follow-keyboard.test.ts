import { afterEach, expect, it, vi } from 'vitest'
import { followKeyboard } from './follow-keyboard'

afterEach(() => vi.unstubAllGlobals())

it('keeps the height that a keyboard covers, and takes neither a bar of the browser nor an enlarged page for one', () => {
  const viewport = Object.assign(new EventTarget(), { height: 800, offsetTop: 0, scale: 1 })
  const scrolled = vi.fn()
  vi.stubGlobal('visualViewport', viewport)
  vi.stubGlobal('innerHeight', 800)
  vi.stubGlobal('scrollTo', scrolled)
  followKeyboard()
  const at = (change: Partial<typeof viewport>): string => {
    Object.assign(viewport, { height: 800, offsetTop: 0, scale: 1 }, change)
    viewport.dispatchEvent(new Event('resize'))
    return document.documentElement.style.getPropertyValue('--keyboard')
  }
  expect(at({ height: 464, offsetTop: 120 })).toBe('336px')
  expect(scrolled).toHaveBeenCalledWith(0, 0)
  expect(at({})).toBe('0px')
  expect(at({ height: 740 })).toBe('0px')
  expect(at({ height: 400, scale: 2 })).toBe('0px')
})
