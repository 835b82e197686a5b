import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listedPages, publicPages } from '@parley/contract/pages'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aBuiltWeb } from '../testing/built-web'
import { testHttp } from '../testing/test-http'

const person = { accept: 'text/html,*/*;q=0.8' }
const start = (env: Record<string, string> = {}) => testHttp({ webRoot: aBuiltWeb(), env })

describe('the public pages', () => {
  it('are open to anyone, without a cookie or a script [CH-011, CH-013, ST-005, ST-009]', async () => {
    const http = await start()
    const titles = {
      '/': 'home',
      '/about': 'about',
      '/roadmap': 'roadmap',
      '/maintenance': 'maintenance',
      '/terms': 'terms',
      '/privacy': 'privacy',
    }
    for (const [path, title] of Object.entries(titles)) {
      const response = await http.call(path, { headers: person })
      const { status, headers } = response
      expect([path, status, headers.get('content-type'), headers.get('set-cookie')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
        null,
      ])
      expect(await response.text()).toContain(`<title>${title} en-US</title>`)
      expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    }
  })

  it('speak the language that was asked for, then the one chosen before, then the browser’s [CH-008, CH-009, ST-212]', async () => {
    const http = await start()
    const languageOf = async (path: string, headers: Record<string, string>) => {
      const response = await http.call(path, { headers: { ...person, ...headers } })
      expect(await response.text()).toContain(`<title>home ${response.headers.get('content-language')}</title>`)
      expect(response.headers.get('vary')).toContain('accept-language, cookie')
      return response.headers.get('content-language')
    }
    expect(await languageOf('/', { 'accept-language': 'de, pt-PT;q=0.8' })).toBe('pt-BR')
    expect(await languageOf('/', { 'accept-language': 'pt-BR', cookie: 'language=es-ES' })).toBe('es-ES')
    expect(await languageOf('/?lang=en-US', { 'accept-language': 'pt-BR', cookie: 'language=es-ES' })).toBe('en-US')
    expect(await languageOf('/', { 'accept-language': 'ja' })).toBe('en-US')
    // The app alone speaks these.
    expect(await languageOf('/', { 'accept-language': 'ar, fil, es-MX;q=0.5' })).toBe('es-ES')
    expect(await languageOf('/', { 'accept-language': 'pt-BR', cookie: 'language=ar' })).toBe('en-US')
  })

  it('remember a language that was chosen, for this host alone, and nothing that was not chosen', async () => {
    const http = await start()
    const kept = async (path: string, cookie = '') =>
      (await http.call(path, { headers: { ...person, cookie } })).headers.get('set-cookie')
    expect(await kept('/?lang=es-ES')).toMatch(/^language=es-ES; Max-Age=31536000; Path=\/; SameSite=Lax$/)
    expect(await kept('/?lang=es-ES', 'language=es-ES')).toBeNull()
    expect(await kept('/?lang=xx')).toBeNull()
    expect(await kept('/')).toBeNull()
  })

  it('name the operator’s addresses and contacts, escaped, and no contacts where there are none [CH-145]', async () => {
    const bare = await (
      await (await start({ PUBLIC_URL: 'https://chat.example.org' })).call('/', { headers: person })
    ).text()
    expect(bare).toContain('<link rel="canonical" href="https://chat.example.org/?lang=en-US">')
    expect(bare).toContain('<a href="/app">')
    expect(bare).not.toMatch(/<ul>|\{\{/)
    const http = await start({ SUPPORT_EMAIL: 'a"<b>@example.org' })
    expect(await (await http.call('/', { headers: person })).text()).toContain(
      '<ul><li>a&quot;&lt;b&gt;@example.org</li></ul>',
    )
  })

  it('are sent compressed, and not again while they are the same', async () => {
    const http = await start()
    const first = await http.call('/', { headers: { ...person, 'accept-encoding': 'br' } })
    expect(first.headers.get('content-encoding')).toBe('br')
    expect(await first.text()).toContain('<title>home en-US</title>')
    const again = await http.call('/', { headers: { ...person, 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect((await http.call('/', { method: 'HEAD', headers: person })).status).toBe(200)
  })

  it('may run and show what the build wrote into them, and nothing that an operator’s text brings along', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'terms.html'), '<script>own()</script><style>p{}</style>')
    const policyOf = async (path: string) =>
      (await (await start({ PAGES_DIR: folder })).call(path, { headers: person })).headers.get(
        'content-security-policy',
      )
    const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    for (const path of ['/', '/terms']) {
      const policy = await policyOf(path)
      expect(policy).toContain(`script-src 'self' ${digest('theme()')} 'wasm-unsafe-eval';`)
      expect(policy).toContain(`style-src 'self' ${digest('h1{}')};`)
      expect(policy).toContain("require-trusted-types-for 'script'")
    }
    expect(await policyOf('/app')).toMatch(/script-src 'self' 'wasm-unsafe-eval';style-src 'self';/)
  })

  it('are not given as they lie in the build, unfilled', async () => {
    const http = await start()
    expect((await http.call('/site-pages/home.en-US.html')).status).toBe(404)
  })

  it('have the operator’s own terms and privacy statement where there are any, in the language or in one for all', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'terms.html'), '<p>Our terms cost $& and {{origin}}</p>')
    writeFileSync(join(folder, 'terms.pt-BR.html'), '<p>Nossos termos</p>')
    const http = await start({ PAGES_DIR: folder })
    const text = async (path: string) => (await http.call(path, { headers: person })).text()
    expect(await text('/terms?lang=es-ES')).toContain('<p>Our terms cost $& and {{origin}}</p>')
    expect(await text('/terms?lang=pt-BR')).toContain('<p>Nossos termos</p>')
    expect(await text('/terms')).not.toContain('What the software does')
    expect(await text('/privacy')).toContain('What the software does')
    await expect(start({ PAGES_DIR: join(folder, 'gone') })).rejects.toThrow('PAGES_DIR must be a folder that exists')
  })

  it('are told to search engines from the list of the contract, each language naming the others', async () => {
    const http = await start({ PUBLIC_URL: 'https://chat.example.org' })
    const robots = await (await http.call('/robots.txt')).text()
    expect(robots).toContain('Sitemap: https://chat.example.org/sitemap.xml')
    expect(robots).toContain('Disallow: /api/')
    const response = await http.call('/sitemap.xml')
    expect(response.headers.get('content-type')).toContain('application/xml')
    const sitemap = await response.text()
    for (const path of listedPages) expect(sitemap).toContain(`<loc>https://chat.example.org${path}`)
    expect(sitemap).not.toContain(publicPages.maintenance)
    expect(sitemap.match(/<url><loc>https:\/\/chat\.example\.org\/roadmap\?lang=/g)).toHaveLength(3)
    expect(sitemap).toContain('hreflang="x-default" href="https://chat.example.org/roadmap"')
  })
})

describe('a host of its own for the public pages', () => {
  const hosts = { PUBLIC_URL: 'https://app.example.org', MARKETING_URL: 'https://www.example.org' }
  const from = (host: string) => ({ headers: { ...person, host } })

  it('leads from the app’s addresses to the app’s host, and keeps what stands behind them [ST-011, ST-208]', async () => {
    const http = await start(hosts)
    const inject = (path: string, host: string) => http.inject({ url: path, ...from(host) })
    expect((await inject('/app', 'www.example.org')).headers.location).toBe('https://app.example.org/app')
    expect((await inject('/assistant/x1?lang=es-ES', 'www.example.org')).headers.location).toBe(
      'https://app.example.org/assistant/x1?lang=es-ES',
    )
    const landing = await inject('/', 'www.example.org')
    expect(landing.statusCode).toBe(200)
    expect(landing.body).toContain('<a href="https://app.example.org/app">')
    expect(landing.body).toContain('href="https://www.example.org/?lang=en-US"')
    expect((await inject('/', 'app.example.org')).headers.location).toBe('/app')
    expect((await inject('/app', 'app.example.org')).statusCode).toBe(200)
  })

  it('is no other host where both are the same, and needs the app’s', async () => {
    const http = await start({ PUBLIC_URL: 'https://app.example.org', MARKETING_URL: 'https://app.example.org/' })
    expect((await http.inject({ url: '/', ...from('app.example.org') })).statusCode).toBe(200)
    await expect(start({ MARKETING_URL: 'https://www.example.org' })).rejects.toThrow('MARKETING_URL needs PUBLIC_URL')
    await expect(start({ ...hosts, MARKETING_URL: 'https://www.example.org/x' })).rejects.toThrow(
      'MARKETING_URL must be',
    )
  })
})
