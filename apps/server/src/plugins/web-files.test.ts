import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testHttp } from '../testing/test-http'

const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

function aBuiltWeb(): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-web-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'assets'))
  const files = {
    'index.html': '<!doctype html><title>Parley</title>',
    'sw.js': 'self',
    'assets/app-1a2b.js': 'console.log(1)',
    'assets/pdf-worker-1a2b.js': 'console.log(1)',
    'icon.svg': '<svg/>',
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), content)
    writeFileSync(join(root, `${name}.br`), brotliCompressSync(content))
  }
  return root
}

describe('the built app', () => {
  it('is served at its own addresses and anything else leads to the start [CH-010] [ST-008]', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    for (const path of ['/app', '/app/', '/app?quick=1', '/invite/a-Token_1'])
      expect(await (await http.call(path, page)).text()).toContain('<title>Parley</title>')
    expect((await http.call('/', page)).headers.get('location')).toBe('/app')
    for (const path of ['/nowhere', '/nowhere/else', '/app/nowhere', '/invite', '/invite/a/b']) {
      const response = await http.call(path, page)
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/'])
    }
  })

  it('is compressed, kept for ever where the name has a hash, and asked for anew where not', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const of = async (path: string) => {
      const { headers } = await http.call(path, { headers: { 'accept-encoding': 'br' } })
      return [headers.get('content-encoding'), headers.get('cache-control'), headers.get('content-type')]
    }
    expect(await of('/assets/app-1a2b.js')).toEqual(['br', 'public, max-age=31536000, immutable', expect.stringContaining('javascript')])
    expect(await of('/app')).toEqual(['br', 'no-cache', expect.stringContaining('text/html')])
    expect(await of('/sw.js')).toEqual(['br', 'no-cache', expect.stringContaining('javascript')])
    expect(await of('/icon.svg')).toEqual(['br', 'public, max-age=3600', 'image/svg+xml'])
  })

  it('carries the policies of a page where a browser applies them: pages, workers and images, not the files of a page', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    const of = async (path: string) => {
      const { headers } = await http.call(path)
      return ['content-security-policy', 'permissions-policy', 'x-content-type-options', 'cross-origin-resource-policy'].map((name) => headers.has(name))
    }
    for (const path of ['/app', '/sw.js', '/icon.svg', '/assets/pdf-worker-1a2b.js']) expect([path, await of(path)]).toEqual([path, [true, true, true, true]])
    expect(await of('/assets/app-1a2b.js')).toEqual([false, false, true, true])
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

  it('is not needed by the API', async () => {
    const http = await testHttp()
    expect((await http.call('/api/docs/json')).status).toBe(200)
    expect((await http.call('/app', page)).status).toBe(503)
  })
})
