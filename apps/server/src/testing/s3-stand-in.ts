import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type S3Access, signedHeaders } from '../providers/files/s3-signature'

const pageSize = 3

/** A store that speaks S3 over a real socket: it checks signatures, lengths and hashes, and lists in small pages. */
export async function startS3(access: S3Access, bucket: string) {
  const objects = new Map<string, { content: Buffer; at: Date }>()
  /** `beforeGet`: awaited before an object is given. */
  const state = { isAway: false, beforeGet: async (_key: string): Promise<void> => undefined }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the store does not listen')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { endpoint: `http://127.0.0.1:${address.port}`, bucket, objects, state }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const refuse = (status: number, code: string) =>
      void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    if (state.isAway) return refuse(503, 'SlowDown')
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (!isSigned(request, url, access)) return refuse(403, 'SignatureDoesNotMatch')
    const hash = createHash('sha256').update(body).digest('hex')
    if (request.headers['x-amz-content-sha256'] !== hash) return refuse(400, 'XAmzContentSHA256Mismatch')
    const [, place, ...rest] = url.pathname.split('/')
    const key = rest.join('/')
    if (place !== bucket) return refuse(404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return refuse(411, 'MissingContentLength')
      objects.set(key, { content: body, at: new Date() })
      return void response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (key === '') return void response.writeHead(200).end(listing(url.searchParams))
    await state.beforeGet(key)
    const object = objects.get(key)
    return object ? void response.writeHead(200).end(object.content) : refuse(404, 'NoSuchKey')
  }

  function listing(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const page = keys.filter((key) => key > after).slice(0, pageSize)
    const hasMore = keys.some((key) => key > (page.at(-1) ?? '\uffff'))
    const entries = page.map((key) => {
      const { content, at } = objects.get(key) ?? { content: Buffer.alloc(0), at: new Date(0) }
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`
    })
    const next = hasMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult>${entries.join('')}${next}</ListBucketResult>`
  }
}

/** By making the signature again of what has arrived. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, access: S3Access): boolean {
  const given = headers.authorization ?? ''
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(given) ?? []
  const own = ['host', 'x-amz-date', 'x-amz-content-sha256']
  const time = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6.000Z',
  )
  if (Number.isNaN(Date.parse(time)) || Math.abs(Date.now() - Date.parse(time)) > 15 * 60_000) return false
  const others = names.split(';').filter((name) => !own.includes(name))
  const { authorization } = signedHeaders(access, {
    ...{ method, host: headers.host ?? '', path: url.pathname, query: url.searchParams, at: new Date(time) },
    headers: Object.fromEntries(others.map((name) => [name, String(headers[name])])),
    payloadHash: String(headers['x-amz-content-sha256']),
  })
  return authorization === given
}
