import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { pages, publicPages } from '@parley/contract/pages'
import { fillSlots } from '@parley/contract/site-slots'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { renderSite } from './render-site'
import { type RoadmapFacts, RoadmapPage } from './roadmap-page'
import { siteTexts } from './site-texts'

// Without a style sheet: this document would look for it.
const files = { script: '/assets/site-1a.js', styles: [], fonts: ['/assets/a.woff2'] }
const appPage =
  '<!doctype html><html lang="en-US"><head><title>Parley</title><meta name="description" content="Old." /></head>' + '<body><div id="root"></div></body></html>'
const drawn = new Map(renderSite(files, appPage).map(({ name, html }) => [name, html]))

/** A page as a server sends it. */
function pageOf(page: string, language: FullLanguage = 'en-US', values = {}): Document {
  const html = drawn.get(`${page}.${language}.html`) ?? ''
  return parsed(fillSlots(html, { origin: 'https://parley.test', app: '', site: '', version: '1.2.3', ...values }))
}

const documents = new Map<string, Document>()
function parsed(html: string): Document {
  const document = documents.get(html) ?? new DOMParser().parseFromString(html, 'text/html')
  documents.set(html, document)
  return document
}
const textOf = (document: Document, selector = 'main'): string => document.querySelector(selector)?.textContent ?? ''
const hrefs = (document: Document, selector: string): (string | null)[] => [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href'))
const rendered = ['home', 'roadmap', 'maintenance', 'terms', 'privacy', 'not-found']

describe('every public page', () => {
  it.each(fullLanguages)('has in %s its title, description, one first heading, landmarks and a way to the content [ST-212]', (language) => {
    const titles = new Set<string>()
    for (const page of rendered) {
      const document = pageOf(page, language)
      expect([page, document.documentElement.lang]).toEqual([page, language])
      expect(document.querySelector('meta[name=description]')?.getAttribute('content')?.length).toBeGreaterThan(20)
      expect([page, document.querySelectorAll('h1').length]).toEqual([page, 1])
      for (const landmark of ['header', 'main', 'footer', 'nav']) expect([page, document.querySelector(landmark)]).not.toEqual([page, null])
      expect(document.querySelector('.skip')?.getAttribute('href')).toBe('#content')
      expect(document.body.textContent).not.toMatch(/\{\{|undefined|\[object/)
      titles.add(document.title)
    }
    expect(titles.size).toBe(rendered.length)
  })

  it('names its address in each language, one for whoever has not chosen, and a drawn picture', () => {
    for (const page of ['home', 'roadmap', 'terms', 'privacy', 'about']) {
      const path = { ...publicPages, about: pages.about }[page as 'home']
      const document = pageOf(page, 'pt-BR')
      expect(hrefs(document, 'link[rel=canonical]')).toEqual([`https://parley.test${path}?lang=pt-BR`])
      const alternates = [...document.querySelectorAll('link[rel=alternate]')].map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')])
      expect(alternates).toEqual([
        ...fullLanguages.map((language) => [language, `https://parley.test${path}?lang=${language}`]),
        ['x-default', `https://parley.test${path}`],
      ])
      expect(document.querySelector('meta[property="og:image"]')?.getAttribute('content')).toBe('https://parley.test/site/card.pt-BR.png')
      const data = [...document.querySelectorAll('script[type="application/ld+json"]')].map((script) => JSON.parse(script.textContent ?? ''))
      expect(data.every((entry) => entry['@context'] === 'https://schema.org' && entry.inLanguage === 'pt-BR')).toBe(true)
      expect(data.length).toBeGreaterThan(0)
    }
  })

  it('is not for search engines where there is nothing to find', () => {
    for (const page of ['maintenance', 'not-found']) {
      expect(pageOf(page).querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
      expect(hrefs(pageOf(page), 'link[rel=canonical]')).toEqual([])
    }
  })

  it('runs no code of its own inside, and has no style beside its elements: the policy refuses both', () => {
    for (const [name, html] of drawn) {
      const document = parsed(html)
      const inline = [...document.querySelectorAll('script:not([src])')].filter((script) => script.getAttribute('type') !== 'application/ld+json')
      expect([name, inline.length, document.querySelectorAll('[style], style, [onclick]').length]).toEqual([name, 0, 0])
    }
  })

  it('holds its style and the choice of its theme itself where the build gives them, each once', () => {
    const inlined = { css: 'h1{color:$&}', themeScript: 'theme($1)' }
    for (const { name, html } of renderSite({ ...files, styles: ['/assets/site-1a.css'], inlined }, appPage)) {
      if (name.startsWith('about')) continue
      expect([name, html.split('<style>h1{color:$&}</style>').length, html.split('<script>theme($1)</script>').length]).toEqual([name, 2, 2])
      expect(html).not.toMatch(/theme-init|site-1a\.css/)
    }
  })

  it('has the same texts in every language: as many of each, none left in English', () => {
    const flat = (texts: object, path = ''): [string, string][] =>
      Object.entries(texts).flatMap(([key, value]) =>
        typeof value === 'string' ? [[path + key, value] satisfies [string, string]] : flat(value, `${path}${key}.`),
      )
    const english = new Map(flat(siteTexts['en-US']))
    for (const language of ['pt-BR', 'es-ES'] as const) {
      const texts = flat(siteTexts[language])
      expect(texts.map(([key]) => key).sort()).toEqual([...english.keys()].sort())
      const same = texts.filter(([key, text]) => text.length > 24 && english.get(key) === text)
      expect(same).toEqual([])
    }
  })
})

describe('the landing page', () => {
  it('has its sections in order, and the anchors about, capabilities and faqs [CH-011, ST-206]', () => {
    const document = pageOf('home')
    expect(document.querySelector('main > .hero h1')?.textContent?.trim()).toBe('Talk to any model. Keep every word.')
    expect([...document.querySelectorAll('main > section[id]')].map(({ id }) => id)).toEqual(['about', 'capabilities', 'features', 'faqs'])
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
      'pt-BR': [/sem rastreamento/i, /sem coleta de IP/i, /sem cookies de terceiros/i, /armazenamento local/i, /passo a passo/i, /não guardamos endereços IP/],
      'es-ES': [/sin rastreo/i, /recogida de IP/i, /sin cookies de terceros/i, /almacenado localmente/i, /paso a paso/i, /no guardamos direcciones IP/],
    }
    for (const language of fullLanguages) for (const words of says[language]) expect(textOf(pageOf('home', language))).toMatch(words)
  })

  it('says truly what the product is: assistants and models, two homes, credits without a subscription, three ways to come in [CH-001, CH-002, CH-004, CH-006, ST-001]', () => {
    const text = textOf(pageOf('home'))
    for (const words of [/assistants made for one job/, /language models/, /two homes/, /No subscription/, /paid in credits/]) expect(text).toMatch(words)
    expect(text).toMatch(/Not at all, with e-mail, or with an Ethereum, Solana or Sui wallet/)
    expect(text).toMatch(/People with a wallet chat without credits/)
    // Not built yet, so not promised.
    expect(text).not.toMatch(/175|documents|videos|300,000/)
  })

  it.each(fullLanguages)('has in %s the bar: About in a new tab, Capabilities, FAQ, Roadmap, languages with flags, Launch App [ST-207, ST-208]', (language) => {
    const document = pageOf('home', language)
    const about = document.querySelector('.bar-links a[href="/about"]')
    expect(about?.getAttribute('target')).toBe('_blank')
    expect(hrefs(document, '.bar-links a')).toEqual(['/about', '#capabilities', '#faqs', '/roadmap'])
    expect(hrefs(document, '.bar .logo')).toEqual(['/app'])
    expect(hrefs(document, '.bar .button.primary')).toEqual(['/app'])
    const choices = [...document.querySelectorAll('.language-list a')]
    expect(choices.map((link) => [link.getAttribute('href'), link.textContent, link.querySelector('[data-flag]') !== null])).toEqual([
      ['?lang=en-US', 'English', true],
      ['?lang=pt-BR', 'Português', true],
      ['?lang=es-ES', 'Español', true],
    ])
    expect(document.querySelector('[aria-current]')?.getAttribute('lang')).toBe(language)
    const away = pageOf('home', language, { app: 'https://app.parley.test', site: 'https://parley.test' })
    expect(hrefs(away, '.bar .logo, .bar .button.primary')).toEqual(['https://app.parley.test/app', 'https://app.parley.test/app'])
  })

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

describe('the roadmap', () => {
  it('has its three cards with their states, and the timeline, from one file of facts [CH-013, ST-213, ST-216]', () => {
    const document = pageOf('roadmap')
    const cards = [...document.querySelectorAll('[data-swiper] > li')]
    expect(cards.map((card) => [card.querySelector('h3')?.textContent, card.querySelector('.badge')?.textContent])).toEqual([
      ['A decentralized web app', 'Completed'],
      ['An AI agents marketplace', 'In progress'],
      ['A mobile native app', 'Backlog'],
    ])
    expect(textOf(document, '[data-swiper] > li:nth-child(2)')).toMatch(/created.*Selling/)
    expect(document.querySelectorAll('.journey time').length).toBeGreaterThan(2)
  })

  it('shows the milestones and the statement that the facts have, and invents none [ST-214, ST-215]', () => {
    const said = (text: string) => ({ 'en-US': text, 'pt-BR': text, 'es-ES': text })
    const roadmap: RoadmapFacts = {
      statement: said('300,000+ users in late 2023'),
      items: [],
      milestones: [
        { id: said('First prototype'), date: '2023-05' },
        { id: said('Marketplace begins'), date: '2024-12' },
      ],
    }
    const document = parsed(renderToStaticMarkup(<RoadmapPage context={{ language: 'en-US', files }} roadmap={roadmap} />))
    expect(textOf(document, '.hero')).toContain('300,000+ users in late 2023')
    expect([...document.querySelectorAll('.journey li')].map((entry) => entry.textContent)).toEqual(['May 2023First prototype', 'Dec 2024Marketplace begins'])
    expect(textOf(pageOf('roadmap'))).not.toMatch(/300,000|2023|2024/)
  })

  it('leads back to the sections of the landing page [ST-209]', () => {
    const links = [...pageOf('roadmap').querySelectorAll('.bar-links a[data-section]')]
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('data-section')])).toEqual([
      ['/#capabilities', 'capabilities'],
      ['/#faqs', 'faqs'],
    ])
  })
})

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
      expect([item.textContent, item.getAttribute('aria-disabled'), item.getAttribute('href')]).toEqual([item.textContent, 'true', null])
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
