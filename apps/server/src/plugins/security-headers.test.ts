import { describe, expect, it } from 'vitest'
import { testHttp } from '../testing/test-http'

describe('security headers', () => {
  it('sends the strict policy with every answer, errors included', async () => {
    const http = await testHttp()
    const { port } = new URL(http.url)
    for (const path of ['/', '/api/nothing', '/nowhere']) {
      const { headers } = await http.call(path)
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'self';script-src 'self' 'wasm-unsafe-eval';style-src 'self';img-src 'self' blob: data:;font-src 'self';connect-src 'self' ws://localhost:${port} ws://127.0.0.1:${port};worker-src 'self' blob:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types parley`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      // With it Chromium would start a second process for the page.
      expect(headers.get('origin-agent-cluster')).toBeNull()
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  it('asks for HTTPS and allows the secure socket when the public address is HTTPS', async () => {
    const http = await testHttp({ env: { PUBLIC_URL: 'https://chat.example.org' } })
    const { headers } = await http.call('/')
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self' wss://chat.example.org;")
  })
})
