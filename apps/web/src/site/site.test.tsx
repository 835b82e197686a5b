import { fullLanguages } from '@parley/contract/languages'
import { pages, publicPages } from '@parley/contract/pages'
import { describe, expect, it } from 'vitest'
import { appPage, drawn, files, hrefs, pageOf, parsed } from '../testing/site-pages'
import { renderSite } from './render-site'
import { siteTexts } from './site-texts'

const rendered = ['home', 'roadmap', 'maintenance', 'terms', 'privacy', 'not-found']

describe('every public page', () => {
  it.each(fullLanguages)(
    'has in %s its title, description, one first heading, landmarks and a way to the content [ST-212]',
    (language) => {
      const titles = new Set<string>()
      for (const page of rendered) {
        const document = pageOf(page, language)
        expect([page, document.documentElement.lang]).toEqual([page, language])
        expect(document.querySelector('meta[name=description]')?.getAttribute('content')?.length).toBeGreaterThan(20)
        expect([page, document.querySelectorAll('h1').length]).toEqual([page, 1])
        for (const landmark of ['header', 'main', 'footer', 'nav'])
          expect([page, document.querySelector(landmark)]).not.toEqual([page, null])
        expect(document.querySelector('.skip')?.getAttribute('href')).toBe('#content')
        expect(document.body.textContent).not.toMatch(/\{\{|undefined|\[object/)
        titles.add(document.title)
      }
      expect(titles.size).toBe(rendered.length)
    },
  )

  it('names its address in each language, one for whoever has not chosen, and a drawn picture', () => {
    for (const page of ['home', 'roadmap', 'terms', 'privacy', 'about']) {
      const path = { ...publicPages, about: pages.about }[page as 'home']
      const document = pageOf(page, 'pt-BR')
      expect(hrefs(document, 'link[rel=canonical]')).toEqual([`https://parley.test${path}?lang=pt-BR`])
      const alternates = [...document.querySelectorAll('link[rel=alternate]')].map((link) => [
        link.getAttribute('hreflang'),
        link.getAttribute('href'),
      ])
      expect(alternates).toEqual([
        ...fullLanguages.map((language) => [language, `https://parley.test${path}?lang=${language}`]),
        ['x-default', `https://parley.test${path}`],
      ])
      expect(document.querySelector('meta[property="og:image"]')?.getAttribute('content')).toBe(
        'https://parley.test/site/card.pt-BR.png',
      )
      const data = [...document.querySelectorAll('script[type="application/ld+json"]')].map((script) =>
        JSON.parse(script.textContent ?? ''),
      )
      expect(data.every((entry) => entry['@context'] === 'https://schema.org' && entry.inLanguage === 'pt-BR')).toBe(
        true,
      )
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
      const inline = [...document.querySelectorAll('script:not([src])')].filter(
        (script) => script.getAttribute('type') !== 'application/ld+json',
      )
      expect([name, inline.length, document.querySelectorAll('[style], style, [onclick]').length]).toEqual([name, 0, 0])
    }
  })

  it('holds its style and the choice of its theme itself where the build gives them, each once', () => {
    const inlined = { css: 'h1{color:$&}', themeScript: 'theme($1)' }
    for (const { name, html } of renderSite({ ...files, styles: ['/assets/site-1a.css'], inlined }, appPage)) {
      if (name.startsWith('about')) continue
      expect([
        name,
        html.split('<style>h1{color:$&}</style>').length,
        html.split('<script>theme($1)</script>').length,
      ]).toEqual([name, 2, 2])
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
