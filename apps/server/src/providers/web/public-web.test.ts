import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '../egress'
import { isPublicAddress, type Resolve } from './public-address'

/** A website on this machine, with the address by which the operator lets people read it. */
async function aSite(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` }
}

const never = new AbortController().signal
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe('addresses that are not public', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fe80::1',
  ])('%s is not called', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://user:secret@example.org/',
    'http://example.org:22/',
  ])('%s is refused in whatever way it is written', async (url) => {
    const { publicWeb } = createEgress()
    await expect(publicWeb(url, { signal: never })).rejects.toMatchObject({ code: 'source.url-refused' })
  })

  it.each(['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org', 'nonsense', ''])(
    '%s is no address of a website',
    async (url) => {
      const { publicWeb } = createEgress()
      await expect(publicWeb(url, { signal: never })).rejects.toMatchObject({ code: 'source.url-invalid' })
    },
  )

  it('a name of which one address is not public is not called at all', async () => {
    const calls: string[] = []
    const site = await aSite((request, response) => {
      calls.push(request.url ?? '')
      response.end('secret')
    })
    for (const answers of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::ffff:127.0.0.1']]) {
      const resolve: Resolve = async () =>
        answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const { publicWeb } = createEgress({ resolve })
      const fetched = publicWeb(`http://internal.example:80/${site.port}`, { signal: never })
      await expect(fetched).rejects.toMatchObject({ code: 'source.url-refused' })
    }
    expect(calls).toEqual([])
  })

  it('a redirect to one is refused, and so is a chain without an end', async () => {
    const site = await aSite((request, response) => {
      const to = request.url === '/inside' ? 'http://169.254.169.254/latest/meta-data' : '/again'
      response.writeHead(302, { location: to }).end()
    })
    const { publicWeb } = createEgress({ allowedHosts: [site.host] })
    const inside = publicWeb(`${site.url}/inside`, { signal: never })
    await expect(inside).rejects.toMatchObject({ code: 'source.url-refused' })
    const again = publicWeb(`${site.url}/again`, { signal: never })
    await expect(again).rejects.toMatchObject({ code: 'source.url-status' })
  })
})

describe('what is fetched', () => {
  it('comes decompressed, with the address where it was found', async () => {
    const site = await aSite((request, response) => {
      if (request.url === '/old') return response.writeHead(301, { location: '/new' }).end()
      response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8', 'content-encoding': 'gzip' })
      response.end(gzipSync('<p>Olá</p>'))
      return response
    })
    const { publicWeb } = createEgress({ allowedHosts: [site.host] })
    const { bytes, ...file } = await publicWeb(`${site.url}/old`, { signal: never })
    expect(file).toEqual({ url: `${site.url}/new`, mediaType: 'text/html' })
    expect(text(bytes)).toBe('<p>Olá</p>')
  })

  it('has a bound, compressed or not, and a stream without an end does not fill the memory', async () => {
    const site = await aSite((request, response) => {
      if (request.url === '/bomb') {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(Buffer.alloc(serverLimits.sources.fetchBytes + 1)))
        return
      }
      const piece = Buffer.alloc(1024 * 1024)
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more)
      }
      more()
    })
    const { publicWeb } = createEgress({ allowedHosts: [site.host] })
    for (const path of ['/bomb', '/endless'])
      await expect(publicWeb(site.url + path, { signal: never })).rejects.toMatchObject({
        code: 'source.url-too-large',
      })
  })

  it.each([
    ['a page that is refused', 403, 'source.url-status'],
    ['a page that is not there', 404, 'source.url-status'],
  ])('is nothing for %s', async (_what, status, code) => {
    const site = await aSite((_request, response) => response.writeHead(status).end('no'))
    const { publicWeb } = createEgress({ allowedHosts: [site.host] })
    await expect(publicWeb(site.url, { signal: never })).rejects.toMatchObject({ code })
  })

  it('a server that is not there is told apart, and whoever gives up is not', async () => {
    const site = await aSite(() => undefined)
    const { publicWeb } = createEgress({ allowedHosts: [site.host, '127.0.0.1:1'] })
    await expect(publicWeb('http://127.0.0.1:1/', { signal: never })).rejects.toMatchObject({
      code: 'source.url-unreachable',
    })
    const control = new AbortController()
    const waiting = publicWeb(site.url, { signal: control.signal })
    control.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})
