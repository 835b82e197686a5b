import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FullLanguage, fullLanguageOf, fullLanguages } from '@parley/contract/languages'
import { serverLimits } from '@parley/contract/limits/server'
import { listedPages, pages, publicPages } from '@parley/contract/pages'
import { fillSlots, type SiteValues } from '@parley/contract/site-slots'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Env, EnvError } from '../env'
import { escapeHtml } from '../providers/escape-html'
import { requestLanguage } from './errors'
import { inlineCodeOf } from './inline-code'
import { type StoredPage, sendStored, storedPage } from './stored-page'

type SitePage = keyof typeof publicPages | 'about' | 'not-found'
export type SitePages = {
  /** In the language of whoever asks. */
  send(request: FastifyRequest, reply: FastifyReply, page: SitePage, status?: number): Promise<FastifyReply>
}

type Options = { root: string; env: SiteEnv; version: string }
export type SiteEnv = Pick<Env, 'publicUrl' | 'marketingUrl' | 'pagesDir' | 'contact'>

const languageCookie = 'language'
const own = ['terms', 'privacy'] as const

/** Serves the pages that open without the app, as the build drew them and the operator completes them. */
export function registerSitePages(app: FastifyInstance, { root, env, version }: Options): SitePages {
  checkOwnPages(env.pagesDir)
  const values = siteValues(env, version)
  const made = new Map<string, Promise<StoredPage>>()

  const make = async (page: SitePage, language: FullLanguage): Promise<StoredPage> => {
    const drawn = readFileSync(join(root, 'site-pages', `${page}.${language}.html`), 'utf8')
    const ownText = ownPage(env.pagesDir, page, language)
    const text = fillSlots(drawn, { ...values, ...(ownText === undefined ? {} : { ownText }) })
    // The code of what the build drew: what the operator's text brings along stays refused.
    return storedPage(text, inlineCodeOf(drawn))
  }

  const send: SitePages['send'] = async (request, reply, page, status = 200) => {
    const language = languageOfPage(request)
    const key = `${page}.${language}`
    const sent = await (made.get(key) ?? made.set(key, make(page, language)).get(key) ?? make(page, language))
    rememberLanguage(request, reply)
    reply.header('content-language', language)
    return sendStored({ request, reply, status, vary: ['accept-language', 'cookie'] }, sent)
  }

  for (const page of ['home', 'roadmap', 'terms', 'privacy'] as const)
    app.get(publicPages[page], { schema: { hide: true } }, (request, reply) => send(request, reply, page))
  app.get(pages.about, { schema: { hide: true } }, (request, reply) => send(request, reply, 'about'))
  app.get(publicPages.maintenance, { schema: { hide: true } }, (request, reply) => {
    if (!app.isInMaintenance) return send(request, reply, 'maintenance')
    return send(request, reply.header('retry-after', serverLimits.http.maintenanceRetrySeconds), 'maintenance', 503)
  })
  registerForRobots(app, env.marketingUrl ?? env.publicUrl)
  return { send }
}

/** What the pages say of this server. */
function siteValues({ publicUrl, marketingUrl, contact }: SiteEnv, version: string): SiteValues {
  const given = Object.entries(contact).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, escapeHtml(value)]],
  )
  return {
    origin: marketingUrl ?? publicUrl,
    app: marketingUrl === undefined ? '' : publicUrl,
    site: marketingUrl ?? '',
    version: escapeHtml(version),
    ...Object.fromEntries(given),
    ...(given.length > 0 ? { contact: '' } : {}),
  }
}

/** A folder that is not there is a mistake, not a request for the default texts. */
function checkOwnPages(pagesDir: string | undefined): void {
  if (pagesDir !== undefined && !existsSync(pagesDir)) throw new EnvError('PAGES_DIR must be a folder that exists')
}

/** `terms.pt-BR.html` before `terms.html`. */
function ownPage(pagesDir: string | undefined, page: SitePage, language: FullLanguage): string | undefined {
  if (pagesDir === undefined || !own.some((name) => name === page)) return undefined
  const file = [`${page}.${language}.html`, `${page}.html`].map((name) => join(pagesDir, name)).find(existsSync)
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}

const askedLanguage = ({ url }: FastifyRequest): string | null =>
  new URLSearchParams(url.split('?')[1] ?? '').get('lang')

/** `?lang=`, then what was chosen before, then what the browser prefers. */
function languageOfPage(request: FastifyRequest): FullLanguage {
  return fullLanguageOf(askedLanguage(request) ?? request.cookies[languageCookie] ?? requestLanguage(request))
}

/** Whoever chooses a language finds the next page in it too, also without scripts. */
function rememberLanguage(request: FastifyRequest, reply: FastifyReply): void {
  const language = fullLanguages.find((known) => known === askedLanguage(request))
  if (language === undefined || request.cookies[languageCookie] === language) return
  reply.setCookie(languageCookie, language, {
    path: '/',
    sameSite: 'lax',
    maxAge: serverLimits.site.languageDays * 86_400,
  })
}

function registerForRobots(app: FastifyInstance, origin: string): void {
  const noRobots = ['/api/', '/v1/', '/ws/', pages.settings, pages.resetPassword, '/invite/']
  const robots = [
    'User-agent: *',
    ...noRobots.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
  const sitemap = sitemapOf(origin)
  const options = { schema: { hide: true } }
  app.get('/robots.txt', options, (_request, reply) =>
    reply.type('text/plain').header('cache-control', 'public, max-age=3600').send(robots),
  )
  app.get('/sitemap.xml', options, (_request, reply) =>
    reply.type('application/xml').header('cache-control', 'public, max-age=3600').send(sitemap),
  )
}

/**
 * Every listed page in every language, each naming the others. The app's own pages have one address for all languages.
 */
function sitemapOf(origin: string): string {
  const drawn = new Set<string>([...Object.values(publicPages), pages.about])
  const urls = listedPages.flatMap((path) => {
    const address = (language: string): string => `${origin}${path}?lang=${language}`
    if (!drawn.has(path)) return [`<url><loc>${origin}${path}</loc></url>`]
    const link = (language: string, href: string): string =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`
    const links = [
      ...fullLanguages.map((language) => link(language, address(language))),
      link('x-default', `${origin}${path}`),
    ]
    return fullLanguages.map((language) => `<url><loc>${address(language)}</loc>${links.join('')}</url>`)
  })
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${urls.join('\n')}\n</urlset>\n`
}
