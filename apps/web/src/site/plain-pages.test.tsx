import { describe, expect, it } from 'vitest'
import { drawn, hrefs, pageOf, textOf } from '../testing/site-pages'

describe('the notice of the maintenance', () => {
  it('says what is under way, and has its two buttons [CH-012, ST-217, ST-218]', () => {
    const document = pageOf('maintenance')
    expect(textOf(document, 'h1')).toBe('Website under maintenance')
    expect(textOf(document)).toMatch(/Scheduled maintenance is under way\. The site should be back shortly\./)
    const buttons = [...document.querySelectorAll('main .button')]
    expect(buttons.map((button) => [button.textContent, button.getAttribute('href')])).toEqual([
      ['Launch App', '/app'],
      ['Back to Home', '/'],
    ])
  })

  it('has a bar that leads nowhere, and says so to everybody [ST-211]', () => {
    const items = [...pageOf('maintenance').querySelectorAll('.bar a:not([data-language]), .footer a')]
    expect(items.length).toBeGreaterThan(8)
    for (const item of items) {
      expect([item.textContent, item.getAttribute('aria-disabled'), item.getAttribute('href')]).toEqual([
        item.textContent,
        'true',
        null,
      ])
    }
  })
})

describe('the other pages', () => {
  it('terms and privacy say what the software does, until the operator has texts of their own', () => {
    for (const page of ['terms', 'privacy']) {
      expect(pageOf(page).querySelectorAll('.prose section').length).toBeGreaterThan(4)
      const replaced = pageOf(page, 'en-US', { ownText: '<p>Ours.</p>' })
      expect(textOf(replaced, '.prose')).toContain('Ours.')
      expect(replaced.querySelector('.prose section')).toBeNull()
    }
  })

  it('a page that does not exist helps: it names the places to go, and leads to the start by itself [ST-008]', () => {
    const document = pageOf('not-found')
    expect(hrefs(document, '.places a')).toEqual(['/', '/app', '/assistants', '/settings'])
    expect(document.querySelector('[data-leaving]')?.getAttribute('data-leaving')).toBe('/')
  })

  it('/about is the app’s page, and says without it what it is, its version and its licence [ST-005]', () => {
    const document = pageOf('about', 'es-ES')
    expect(document.documentElement.lang).toBe('es-ES')
    expect(document.title).toBe('Acerca de · Parley')
    expect(document.querySelectorAll('meta[name=description]')).toHaveLength(1)
    expect(document.querySelector('#root')).not.toBeNull()
    expect(drawn.get('about.es-ES.html')).toMatch(/<noscript><main>.*canales que son tuyos.*\{\{version\}\}.*MIT/)
  })
})
