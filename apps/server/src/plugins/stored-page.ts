import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowInline, type InlineCode, inlineCodeOf } from './inline-code'

/** A page in memory, in every encoding that browsers take, with the code in it that its policy allows. */
export type StoredPage = { html: Buffer; br: Buffer; gzip: Buffer; etag: string; code: InlineCode }

/** `code`: where not all of what stands in the page is to be allowed. */
export async function storedPage(text: string, code = inlineCodeOf(text)): Promise<StoredPage> {
  const html = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: html.length }
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(html, { params }),
    promisify(gzip)(html, { level: 9 }),
  ])
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
  return { html, br, gzip: gzipped, etag, code }
}

/**
 * What is made of a page in a file, made anew where another build has taken its place while the server runs: the page
 * of the build before leads to files that are gone.
 */
export function madeOfFile<T>(file: string, make: (text: string) => T): () => T {
  const stampOf = (): string => {
    const { mtimeMs, ino, size } = statSync(file)
    return `${mtimeMs} ${ino} ${size}`
  }
  const read = (): T => make(readFileSync(file, 'utf8'))
  let [stamp, made] = [stampOf(), read()]
  return () => {
    try {
      const now = stampOf()
      if (now !== stamp) [made, stamp] = [read(), now]
    } catch {
      // It is being replaced: what was there before is of use until it is back.
    }
    return made
  }
}

/** Asked for anew each time, and sent only where it has changed. `vary`: what else than the encoding it depends on. */
export function sendStored(
  {
    request,
    reply,
    status = 200,
    vary = [],
  }: { request: FastifyRequest; reply: FastifyReply; status?: number; vary?: string[] },
  page: StoredPage,
): FastifyReply {
  allowInline(reply, page.code)
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', ['accept-encoding', ...vary].join(', '))
    .header('etag', page.etag)
  if (status === 200 && request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  const encoding = encodingOf(request)
  if (encoding !== 'html') reply.header('content-encoding', encoding)
  return reply.send(page[encoding])
}

function encodingOf({ headers }: FastifyRequest): 'br' | 'gzip' | 'html' {
  const accepted = String(headers['accept-encoding'] ?? '')
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'html'
}
