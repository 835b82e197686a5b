import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { buildTestApp } from '../testing/build-test-app'
import { aBuiltWeb } from '../testing/built-web'
import { testHttp } from '../testing/test-http'

const page = { headers: { accept: 'text/html,*/*;q=0.8' } }
const env = { MAINTENANCE: 'true' }

describe('maintenance', () => {
  it('leads every page to the notice, which says where somebody came from [CH-012, ST-009]', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb(), env })
    for (const path of ['/', '/app', '/roadmap', '/assistants?tab=mine', '/assistant/x', '/nowhere']) {
      const { status, headers } = await http.call(path, page)
      expect([path, status, headers.get('location')]).toEqual([
        path,
        302,
        `/maintenance?from=${encodeURIComponent(path)}`,
      ])
    }
    const notice = await http.call('/maintenance', page)
    expect([notice.status, notice.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await notice.text()).toContain('<title>maintenance en-US</title>')
  })

  it('refuses calls with 503, the time of the next attempt and the shape of every error, in the person’s language', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb(), env })
    const paths = ['/api/channel', '/v1/assistants/company', '/models', '/api/auth/login']
    for (const path of paths) {
      const response = await http.call(path, { headers: { 'accept-language': 'es' } })
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '60'])
      expect(await response.json()).toEqual({
        success: false,
        code: 'maintenance',
        status: 503,
        message: 'Hay un mantenimiento programado en curso. Volveremos en breve.',
      })
    }
    expect((await http.call('/app', { ...page, method: 'POST' })).status).toBe(503)
  })

  it('goes on serving the files of open pages', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb(), env })
    for (const path of ['/assets/app-1a2b.js', '/sw.js', '/icon.svg', '/robots.txt'])
      expect([path, (await http.call(path)).status]).toEqual([path, 200])
  })

  it('closes sockets as before a restart, and says the truth to who watches the server and to open apps', async () => {
    const app = await buildTestApp({ env })
    const socket = new WebSocket(`${app.wsUrl}/ws/chat?token=any`)
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1012)
    expect(await (await app.call('/api/health/ready')).json()).toEqual({
      status: 'ready',
      bus: 'up',
      maintenance: true,
    })
    expect((await app.call('/api/health/live')).status).toBe(200)
    expect(await (await app.call('/metrics')).text()).toMatch(/^maintenance 1$/m)
    const webhook = await app.call('/api/billing/webhooks/stripe', { method: 'POST' })
    expect(await webhook.json()).not.toMatchObject({ code: 'maintenance' })
    expect(await (await app.call('/api/config')).json()).toMatchObject({ maintenance: true })
  })

  it('is nothing without the variable: the notice is a page like others', async () => {
    const http = await testHttp({ webRoot: aBuiltWeb() })
    expect((await http.call('/maintenance', page)).status).toBe(200)
    expect((await http.call('/app', page)).status).toBe(200)
  })
})
