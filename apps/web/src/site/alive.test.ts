import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { comeBack } from './come-back'
import { closeMenus, rememberLanguage } from './menus'
import { playPicture } from './play-picture'
import { renderSite } from './render-site'
import { scrollToSections } from './scroll-to-sections'

const drawn = new Map(
  renderSite({ script: '/assets/site-1a.js', styles: [], fonts: [] }, '<div id="root">').map(({ name, html }) => [
    name,
    html,
  ]),
)

/** The body of a page, in this document. */
function show(page: string, address = '/'): void {
  history.replaceState(null, '', address)
  const from = new DOMParser().parseFromString(drawn.get(`${page}.en-US.html`) ?? '', 'text/html').body
  document.body.replaceChildren(...from.childNodes)
  for (const { name, value } of from.attributes) document.body.setAttribute(name, value)
}

const one = <E extends HTMLElement>(selector: string): E => {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`no ${selector}`)
  return found
}

let assign: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  vi.useFakeTimers()
  assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  sessionStorage.clear()
  localStorage.clear()
})

describe('the script of the public pages', () => {
  it('closes a menu by Escape, with the focus back on it, and by a press beside it [ST-210]', () => {
    show('home')
    closeMenus()
    const menu = one<HTMLDetailsElement>('details.menu')
    menu.open = true
    one('.menu-sheet a').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    expect([menu.open, document.activeElement]).toEqual([false, menu.querySelector('summary')])
    menu.open = true
    one('.menu-sheet').dispatchEvent(new Event('pointerdown', { bubbles: true }))
    expect(menu.open).toBe(true)
    one('h1').dispatchEvent(new Event('pointerdown', { bubbles: true }))
    expect(menu.open).toBe(false)
  })

  it('lets the app open in the language that was chosen, under both of its names [ST-207]', () => {
    localStorage.setItem('configsGeneralReducer', '{"storageMode":"cloud"}')
    show('home')
    rememberLanguage()
    const link = one('[data-language="es-ES"]')
    link.addEventListener('click', (event) => event.preventDefault())
    link.click()
    expect(localStorage.getItem('language')).toBe('es-ES')
    expect(JSON.parse(localStorage.getItem('configsGeneralReducer') ?? '')).toEqual({
      storageMode: 'cloud',
      language: 'es-ES',
    })
  })

  it('goes from another page to the landing page first, which scrolls to the section after 500 ms [ST-209]', () => {
    show('roadmap', '/roadmap')
    scrollToSections()
    one('[data-section=faqs]').click()
    expect(assign).toHaveBeenCalledWith('/')
    show('home')
    const scroll = vi.spyOn(one('#faqs'), 'scrollIntoView').mockImplementation(() => undefined)
    scrollToSections()
    vi.advanceTimersByTime(499)
    expect(scroll).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect([scroll.mock.calls.length, location.hash]).toEqual([1, '#faqs'])
    scrollToSections()
    vi.advanceTimersByTime(1_000)
    expect(scroll).toHaveBeenCalledOnce()
  })

  it('writes the answer of the picture word by word once it is seen and when asked again, in the room that it has', () => {
    let seen: (entries: object[]) => void = () => undefined
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(heard: typeof seen) {
          seen = heard
        }
        observe = () => undefined
        disconnect = () => undefined
      },
    )
    show('home')
    playPicture()
    const [frame, words] = [one('.picture-frame'), document.querySelectorAll('[data-word]').length]
    const shown = (): number => document.querySelectorAll('[data-shown]').length
    expect('playing' in frame.dataset).toBe(false)
    seen([{ isIntersecting: true }])
    expect(['playing' in frame.dataset, shown()]).toEqual([true, 0])
    vi.advanceTimersByTime(45 * 10)
    expect(shown()).toBe(10)
    vi.runAllTimers()
    expect(['playing' in frame.dataset, shown()]).toEqual([false, words])
    one('[data-play-again]').click()
    expect(shown()).toBe(0)
    vi.unstubAllGlobals()
  })

  it('leaves the picture as it is for somebody who wants no motion', () => {
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(
      (query) => ({ ...new EventTarget(), matches: query.includes('reduce') }) as MediaQueryList,
    )
    show('home')
    playPicture()
    expect([one('[data-play-again]').hidden, 'playing' in one('.picture-frame').dataset]).toEqual([true, false])
  })

  it('leads from the notice back to where somebody came from when the maintenance is over, and to no other host', async () => {
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)
    let answer: () => Promise<Response> = async () => Response.json({ maintenance: true })
    const ask = vi.spyOn(globalThis, 'fetch').mockImplementation(() => answer())
    show('maintenance', '/maintenance?from=https%3A%2F%2Felse.test%2F')
    comeBack()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(ask).not.toHaveBeenCalled()
    show('maintenance', '/maintenance?from=%2Fassistants%3Ftab%3Dmine')
    comeBack()
    await vi.advanceTimersByTimeAsync(5_000)
    answer = () => Promise.reject(new TypeError('away'))
    await vi.advanceTimersByTimeAsync(5_000)
    answer = async () => new Response('', { status: 502 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect([ask.mock.calls.length, replace.mock.calls.length]).toEqual([3, 0])
    answer = async () => Response.json({})
    await vi.advanceTimersByTimeAsync(5_000)
    expect(replace).toHaveBeenCalledWith(`${location.origin}/assistants?tab=mine`)
  })

  it('leads from an address that leads nowhere to the start, unless somebody does something there [ST-008]', async () => {
    for (const stays of [false, true]) {
      assign.mockClear()
      show('not-found', '/nowhere')
      vi.resetModules()
      await import('./site')
      // It begins after the first paint.
      vi.advanceTimersByTime(50)
      expect(one('[data-leaving]').hidden).toBe(false)
      if (stays) one('[data-stay]').dispatchEvent(new Event('pointerdown', { bubbles: true }))
      vi.advanceTimersByTime(15_000)
      expect(assign.mock.calls).toEqual(stays ? [] : [['/']])
    }
  })
})
