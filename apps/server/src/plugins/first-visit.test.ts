import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aBuiltWeb } from '../testing/built-web'
import { testHttp } from '../testing/test-http'

const started = async (root = aBuiltWeb({ hasFirstVisits: true })) => {
  const http = await testHttp({ webRoot: root })
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await http.call(path, { headers: { accept: 'text/html', 'accept-language': 'en-US', ...headers } })
    return { response, text: await response.text() }
  }
}
const isFirstVisit = (text: string): boolean => text.includes('look()')

describe('the page of a new chat, to a browser that has not been here', () => {
  it('is in the language that it prefers of those that there are', async () => {
    const get = await started()
    const preferred = {
      'pt-BR,pt;q=0.9,en;q=0.8': 'pt-BR',
      'pt-PT': 'pt-BR',
      'de-DE,es;q=0.5,en;q=0.4': 'es-ES',
      'fil,en;q=0.5': 'fil-PH',
      'en;q=0.5,es;q=0.9': 'es-ES',
      'de-DE': 'en-US',
      '*': 'en-US',
      'ar,;q=x,\u00ff': 'en-US',
    }
    for (const [tags, language] of Object.entries(preferred)) {
      const { text } = await get('/app', { 'accept-language': tags })
      expect([tags, isFirstVisit(text), /lang="([\w-]+)"/.exec(text)?.[1]]).toEqual([tags, true, language])
    }
  })

  it('is the usual one where the browser has been here, asks for a language or for another page', async () => {
    const get = await started()
    expect(isFirstVisit((await get('/app')).text)).toBe(true)
    expect(isFirstVisit((await get('/app', { cookie: 'other=1' })).text)).toBe(true)
    expect(isFirstVisit((await get('/app', { cookie: 'other=1; parley-visited=1' })).text)).toBe(false)
    for (const path of ['/app?lang=pt-BR', '/app/', '/settings', '/index.html'])
      expect([path, isFirstVisit((await get(path)).text)]).toEqual([path, false])
  })

  it('is kept apart from the usual one by caches, and allowed to run its own code', async () => {
    const get = await started()
    const [first, usual] = [await get('/app'), await get('/app', { cookie: 'parley-visited=1' })]
    for (const { response } of [first, usual])
      expect(response.headers.get('vary')).toBe('accept-encoding, accept-language, cookie')
    const etag = first.response.headers.get('etag') ?? ''
    expect((await get('/app', { 'if-none-match': etag })).response.status).toBe(304)
    const later = await get('/app', { 'if-none-match': etag, cookie: 'parley-visited=1' })
    expect([later.response.status, isFirstVisit(later.text)]).toEqual([200, false])
    const digest = createHash('sha256').update('look()').digest('base64')
    expect(first.response.headers.get('content-security-policy')).toContain(digest)
    expect(usual.response.headers.get('content-security-policy')).not.toContain(digest)
  })

  it('is of the newest build, and the usual one where a build has none', async () => {
    const root = aBuiltWeb({ hasFirstVisits: true })
    const get = await started(root)
    expect(isFirstVisit((await get('/app')).text)).toBe(true)
    writeFileSync(join(root, 'first-visit/en-US.html'), '<!doctype html><title>Parley</title>Newer')
    expect((await get('/app')).text).toContain('Newer')
    rmSync(join(root, 'first-visit'), { recursive: true })
    expect((await get('/app')).text, 'while it is being replaced').toContain('Newer')
    const without = await started(aBuiltWeb())
    const { response, text } = await without('/app')
    expect([response.headers.get('vary'), isFirstVisit(text)]).toEqual(['accept-encoding', false])
  })
})
