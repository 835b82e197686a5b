import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { testHttp } from '../testing/test-http'

const long = 'a text that is worth it '.repeat(200)
/** Files that begin as zlib and gzip do, one of them a text that by chance does, and one that does not. */
const files = {
  zlib: Buffer.from(`\u0078\u009c${long}`, 'latin1'),
  gzip: gzipSync(long.repeat(50)),
  number: Buffer.from(`80 reais: ${long}`),
  text: Buffer.from(long),
}

it('reaches its reader byte for byte and with its length, whatever a file begins with', async () => {
  const http = await testHttp({
    mount(app) {
      for (const [name, file] of Object.entries(files)) {
        app.get(`/${name}`, (_request, reply) => reply.type('application/octet-stream').send(file))
        app.get(`/streamed/${name}`, (_request, reply) =>
          reply
            .type('application/octet-stream')
            .header('content-length', file.length)
            .send(Readable.from([file])),
        )
      }
    },
  })
  for (const [name, file] of Object.entries(files))
    for (const path of [`/${name}`, `/streamed/${name}`])
      for (const encoding of ['gzip', 'br', 'gzip, deflate, br', 'identity']) {
        const response = await http.call(path, { headers: { 'accept-encoding': encoding } })
        const { headers } = response
        expect([path, headers.get('content-encoding'), headers.get('content-length')]).toEqual([
          path,
          null,
          String(file.length),
        ])
        expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true)
      }
})

it('compresses JSON that is long, and nothing of another type', async () => {
  const types = ['text/plain', 'text/html', 'image/svg+xml', 'text/event-stream']
  const http = await testHttp({
    mount(app) {
      app.get('/long', async () => ({ long }))
      app.get('/short', async () => ({ short: 'a' }))
      app.get('/of', ({ query }, reply) => reply.type((query as { type: string }).type).send(long))
    },
  })
  const encodingOf = async (path: string, encoding: string) => {
    const response = await http.call(path, { headers: { 'accept-encoding': encoding } })
    return [response.headers.get('content-encoding'), await response.text()]
  }
  for (const encoding of ['br', 'gzip'])
    expect(await encodingOf('/long', encoding)).toEqual([encoding, JSON.stringify({ long })])
  expect(await encodingOf('/short', 'gzip')).toEqual([null, '{"short":"a"}'])
  for (const type of types)
    expect([type, ...(await encodingOf(`/of?type=${encodeURIComponent(type)}`, 'gzip'))]).toEqual([type, null, long])
})
