import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages } from '@parley/contract/pages'
import { describe, expect, it } from 'vitest'
import { aBuiltWeb } from '../testing/built-web'
import { testHttp } from '../testing/test-http'

const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

describe('the built app', () => {
  it('is served at each page that its router knows, to people and programs [CH-010]', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const known = Object.values(pages)
      .filter((path) => path !== pages.about)
      .map((path) => path.replace(/\$\w+/, 'a-Token_1%20'))
    for (const path of [...known, '/app/', '/app?quick=1']) {
      for (const options of [page, {}]) {
        const response = await http.call(path, options)
        expect([path, response.status, await response.text()]).toEqual([
          path,
          200,
          expect.stringContaining('<title>Parley</title>'),
        ])
      }
    }
  })

  it('is opened by any number of people behind one address: its first page is counted as little as its files', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb(), env: { RATE_LIMIT_SCALE: '0.01' } })
    const statuses = async (path: string): Promise<number[]> => {
      const found: number[] = []
      for (let n = 0; n < 5; n++) found.push((await http.call(path, page)).status)
      return found
    }
    expect(await statuses('/nobody-knows-this')).toEqual([404, 404, 404, 429, 429])
    for (const path of [pages.chat, `${pages.chat}?quick=1`, '/assets/app-1a2b.js'])
      expect([path, await statuses(path)]).toEqual([path, [200, 200, 200, 200, 200]])
  })

  it('is the front door where the build has no other pages', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb({ hasSite: false }) })
    expect((await http.call('/', page)).headers.get('location')).toBe('/app')
    const unknown = await http.call('/nowhere', page)
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('<title>Parley</title>')])
  })

  const unknown = [
    '/nowhere',
    '/nowhere/else',
    '/app/nowhere',
    '/invite',
    '/invite/a/b',
    '/get-documents',
    '/missing.png',
  ]

  it('at an unknown address says so to a person, with the status 404, and leads to the start by itself [ST-008]', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    for (const path of unknown) {
      const response = await http.call(path, page)
      expect([path, response.status, await response.text()]).toEqual([
        path,
        404,
        expect.stringContaining('<title>not-found en-US</title>'),
      ])
    }
  })

  it('is not given to a program at an unknown address: that is a 404 in the shape of every error', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    for (const path of unknown) {
      for (const accept of ['application/json', '*/*']) {
        const response = await http.call(path, { headers: { accept } })
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          404,
          { success: false, code: 'not-found', status: 404 },
        ])
      }
      expect((await http.call(path, { ...page, method: 'POST' })).headers.get('content-type')).toContain(
        'application/json',
      )
    }
  })

  it('is compressed, kept for ever where the name has a hash, and asked for anew where not', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const of = async (path: string) => {
      const { headers } = await http.call(path, { headers: { 'accept-encoding': 'br' } })
      return [headers.get('content-encoding'), headers.get('cache-control'), headers.get('content-type')]
    }
    expect(await of('/assets/app-1a2b.js')).toEqual([
      'br',
      'public, max-age=31536000, immutable',
      expect.stringContaining('javascript'),
    ])
    expect(await of('/app')).toEqual(['br', 'no-cache', expect.stringContaining('text/html')])
    expect(await of('/sw.js')).toEqual(['br', 'no-cache', expect.stringContaining('javascript')])
    expect(await of('/icon.svg')).toEqual(['br', 'public, max-age=3600', 'image/svg+xml'])
  })

  it('sends its page in every encoding that is asked for, and not again to whoever has it', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const of = async (encoding: string, etag?: string) => {
      const headers = { ...page.headers, 'accept-encoding': encoding, ...(etag ? { 'if-none-match': etag } : {}) }
      const response = await http.call('/app', { headers })
      return { response, text: await response.text() }
    }
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { response, text } = await of(encoding)
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
      expect(response.headers.get('vary')).toContain('accept-encoding')
      expect(text).toContain('<title>Parley</title>')
      const again = await of(encoding, response.headers.get('etag') ?? '')
      expect([again.response.status, again.text]).toEqual([304, ''])
    }
    expect((await of('br', '"another"')).response.status).toBe(200)
  })

  it('has its page under the name of its file as well, for the service worker: the same, with its policy', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const [asPage, asFile] = [await http.call('/app', page), await http.call('/index.html')]
    expect([asFile.status, await asFile.text()]).toEqual([200, await asPage.text()])
    expect(asFile.headers.get('content-security-policy')).toBe(asPage.headers.get('content-security-policy'))
  })

  it('carries the policies of a page where a browser applies them: pages, workers and images, not the files of a page', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const of = async (path: string) => {
      const { headers } = await http.call(path)
      return [
        'content-security-policy',
        'permissions-policy',
        'x-content-type-options',
        'cross-origin-resource-policy',
      ].map((name) => headers.has(name))
    }
    for (const path of ['/app', '/sw.js', '/icon.svg', '/assets/pdf-worker-1a2b.js'])
      expect([path, await of(path)]).toEqual([path, [true, true, true, true]])
    expect(await of('/assets/app-1a2b.js')).toEqual([false, false, true, true])
  })

  it('allows the code in its page also when another build takes its place while the server runs', async () => {
    const root = aBuiltWeb()
    const http = await testHttp({ webRoot: root })
    const policy = async (): Promise<string | null> =>
      (await http.call('/app', page)).headers.get('content-security-policy')
    const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
    expect(await policy()).not.toContain(digest('h1{top:0}'))
    rmSync(join(root, 'index.html.br'))
    writeFileSync(join(root, 'index.html'), '<!doctype html><title>Parley</title><style>h1{top:0}</style>')
    expect(await policy()).toContain(`style-src 'self' 'sha256-${digest('h1{top:0}')}'`)
    expect(await (await http.call('/app', page)).text()).toContain('h1{top:0}')
  })

  it('gives no page for a missing file and nothing outside its folder', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    expect((await http.call('/assets/gone.js', page)).status).toBe(404)
    expect((await http.call('/missing.png')).status).toBe(404)
    for (const path of ['/..%2f..%2fetc/passwd', '/assets/..%2f..%2f..%2fetc%2fpasswd', '/.env']) {
      const response = await http.call(path, page)
      expect(response.status).not.toBe(200)
    }
  })

  it('leads what is shared to the app, unread, where no service worker has taken it', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const body = new FormData()
    body.set('text', 'A secret plan')
    const response = await http.call('/share', { method: 'POST', body, headers: page.headers })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app?shared'])
  })

  it('is not needed by the API', async () => {
    const http = await testHttp()
    expect((await http.call('/api/docs/json')).status).toBe(200)
    expect((await http.call('/app', page)).status).toBe(503)
  })
})
