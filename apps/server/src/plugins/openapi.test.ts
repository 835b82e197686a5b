import { describe, expect, it } from 'vitest'
import { testHttp } from '../testing/test-http'

describe('API documentation', () => {
  it('is a page that runs under its own policy without inline script', async () => {
    const http = await testHttp()
    const page = await http.call('/api/docs')
    const html = await (page.status === 200 ? page : await http.call('/api/docs/')).text()
    expect(html).toContain('swagger-ui')
    expect(html.replace(/<script src="[^"]*"[^>]*>\s*<\/script>/g, '')).not.toContain('<script')
    const styles = await http.call('/api/docs/static/swagger-ui.css')
    expect(styles.status).toBe(200)
    await styles.text()
    expect(styles.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(styles.headers.get('content-security-policy')).not.toContain('trusted-types')
  })

  it('describes the frames of the chat socket', async () => {
    const http = await testHttp()
    const text = await (await http.call('/api/docs/json')).text()
    expect(JSON.parse(text)).toMatchObject({
      openapi: '3.1.0',
      paths: { '/ws/chat': { get: { description: expect.stringContaining('4408') } } },
      components: {
        schemas: { ChatClientFrame: { anyOf: expect.anything() }, ChatServerFrame: { oneOf: expect.anything() } },
      },
    })
    expect(text).toContain('suggestion-channel-name')
  })
})
