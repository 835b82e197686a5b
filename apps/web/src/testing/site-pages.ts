import type { FullLanguage } from '@parley/contract/languages'
import { fillSlots } from '@parley/contract/site-slots'
import { renderSite } from '../site/render-site'

// Without a style sheet: this document would look for it.
export const files = { script: '/assets/site-1a.js', styles: [], fonts: ['/assets/a.woff2'] }
export const appPage =
  '<!doctype html><html lang="en-US"><head><title>Parley</title><meta name="description" content="Old." /></head>' +
  '<body><div id="root"></div></body></html>'
export const drawn = new Map(renderSite(files, appPage).map(({ name, html }) => [name, html]))

/** A page as a server sends it. */
export function pageOf(page: string, language: FullLanguage = 'en-US', values = {}): Document {
  const html = drawn.get(`${page}.${language}.html`) ?? ''
  return parsed(fillSlots(html, { origin: 'https://parley.test', app: '', site: '', version: '1.2.3', ...values }))
}

const documents = new Map<string, Document>()
export function parsed(html: string): Document {
  const document = documents.get(html) ?? new DOMParser().parseFromString(html, 'text/html')
  documents.set(html, document)
  return document
}
export const textOf = (document: Document, selector = 'main'): string =>
  document.querySelector(selector)?.textContent ?? ''
export const hrefs = (document: Document, selector: string): (string | null)[] =>
  [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href'))
