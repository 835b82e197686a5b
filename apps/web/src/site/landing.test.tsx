import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { describe, expect, it } from 'vitest'
import { hrefs, pageOf, textOf } from '../testing/site-pages'

describe('the landing page', () => {
  it('has its sections in order, and the anchors about, capabilities and faqs [CH-011, ST-206]', () => {
    const document = pageOf('home')
    expect(document.querySelector('main > .hero h1')?.textContent?.trim()).toBe('Talk to any model. Keep every word.')
    expect([...document.querySelectorAll('main > section[id]')].map(({ id }) => id)).toEqual([
      'about',
      'capabilities',
      'features',
      'faqs',
    ])
    expect(document.querySelector('main ~ footer')).not.toBeNull()
    expect(document.querySelectorAll('#capabilities .card')).toHaveLength(6)
  })

  it('says what counts: no tracking, no IP collection, no third-party cookies, data stored locally, a step-by-step wizard [ST-205, CH-003]', () => {
    const says: Record<FullLanguage, RegExp[]> = {
      'en-US': [
        /no tracking/i,
        /no IP collection/i,
        /no third-party cookies/i,
        /stored locally/i,
        /step-by-step wizard/i,
        /store no IP addresses/,
        /without a network/i,
      ],
      'pt-BR': [
        /sem rastreamento/i,
        /sem coleta de IP/i,
        /sem cookies de terceiros/i,
        /armazenamento local/i,
        /passo a passo/i,
        /não guardamos endereços IP/,
      ],
      'es-ES': [
        /sin rastreo/i,
        /recogida de IP/i,
        /sin cookies de terceros/i,
        /almacenado localmente/i,
        /paso a paso/i,
        /no guardamos direcciones IP/,
      ],
    }
    for (const language of fullLanguages)
      for (const words of says[language]) expect(textOf(pageOf('home', language))).toMatch(words)
  })

  it('says truly what the product is: assistants and models, two homes, credits without a subscription, three ways to come in [CH-001, CH-002, CH-004, CH-006, ST-001]', () => {
    const text = textOf(pageOf('home'))
    for (const words of [
      /assistants made for one job/,
      /language models/,
      /two homes/,
      /No subscription/,
      /paid in credits/,
    ])
      expect(text).toMatch(words)
    expect(text).toMatch(/Not at all, with e-mail, or with an Ethereum, Solana or Sui wallet/)
    expect(text).toMatch(/People with a wallet chat without credits/)
    // Not built yet, so not promised.
    expect(text).not.toMatch(/175|documents|videos|300,000/)
  })

  it.each(fullLanguages)(
    'has in %s the bar: About in a new tab, Capabilities, FAQ, Roadmap, languages with flags, Launch App [ST-207, ST-208]',
    (language) => {
      const document = pageOf('home', language)
      const about = document.querySelector('.bar-links a[href="/about"]')
      expect(about?.getAttribute('target')).toBe('_blank')
      expect(hrefs(document, '.bar-links a')).toEqual(['/about', '#capabilities', '#faqs', '/roadmap'])
      expect(hrefs(document, '.bar .logo')).toEqual(['/app'])
      expect(hrefs(document, '.bar .button.primary')).toEqual(['/app'])
      const choices = [...document.querySelectorAll('.language-list a')]
      expect(
        choices.map((link) => [
          link.getAttribute('href'),
          link.textContent,
          link.querySelector('[data-flag]') !== null,
        ]),
      ).toEqual([
        ['?lang=en-US', 'English', true],
        ['?lang=pt-BR', 'Português', true],
        ['?lang=es-ES', 'Español', true],
      ])
      expect(document.querySelector('[aria-current]')?.getAttribute('lang')).toBe(language)
      const away = pageOf('home', language, { app: 'https://app.parley.test', site: 'https://parley.test' })
      expect(hrefs(away, '.bar .logo, .bar .button.primary')).toEqual([
        'https://app.parley.test/app',
        'https://app.parley.test/app',
      ])
    },
  )

  it('has the same links in the menu of narrow screens, which opens without a script [ST-210]', () => {
    const document = pageOf('home')
    expect(document.querySelector('details.menu > summary')?.getAttribute('aria-label')).toBe('Menu')
    expect(hrefs(document, '.menu-sheet a')).toEqual(hrefs(document, '.bar-links a'))
  })

  it('draws the product instead of praising it, whole without a script, and as one picture to whoever hears it', () => {
    const document = pageOf('home')
    const picture = document.querySelector('[role=img]')
    expect(picture?.getAttribute('aria-label')).toContain('encrypted on this device')
    expect(picture?.textContent).toContain('Ask for a fee that shrinks with the time left.')
    expect(document.querySelector('[data-playing]')).toBeNull()
  })

  it('shows the operator’s contacts, and none where there are none [CH-145]', () => {
    expect(pageOf('home').querySelector('.contact')).toBeNull()
    const document = pageOf('home', 'en-US', { contact: '', discord: 'https://discord.test/x' })
    expect(hrefs(document, '.contact a')).toEqual(['https://discord.test/x'])
  })
})
