import { createHash, createHmac } from 'node:crypto'

export type S3Access = { region: string; accessKeyId: string; secretAccessKey: string }

/** `path` and `query` as they are sent. `payloadHash`: hex SHA-256 of the body. */
type ToSign = {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers?: Record<string, string>
  payloadHash: string
  at: Date
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers of a request to S3 with its signature: AWS Signature Version 4. */
export function signedHeaders(access: S3Access, request: ToSign): Record<string, string> {
  const time = request.at.toISOString().replace(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': request.payloadHash,
    'x-amz-date': time,
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    request.payloadHash,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${access.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [time.slice(0, 8), access.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${access.secretAccessKey}`,
  )
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${access.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, toSign).toString('hex')}`,
  }
}

/** Sorted, and written as RFC 3986 has it. */
export function canonicalQuery(query: URLSearchParams): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}
