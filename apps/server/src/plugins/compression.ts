import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const json = /^application\/json(?:;|$)/

/**
 * Compresses answers that are JSON. The files of the app are compressed when it is built; streams of events must reach
 * their reader piece by piece, and pictures and PDFs are small as they are. Not where secrets are given out: their
 * length would tell of them.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/auth')) route.compress = false
  })
  // The types that the plugin is told come on top of a table of its own, in which files of any kind are compressible;
  // and what then begins as gzip or zlib do goes out as it is, under the name of an encoding that it may not have. It
  // compresses nothing of a request with this header.
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (!json.test(String(reply.getHeader('content-type') ?? ''))) raw.headers['x-no-compression'] = ''
    return payload
  })
  await app.register(compress, {
    customTypes: json,
    encodings: ['br', 'gzip'],
    threshold: 1_024,
    // The usual level of files that are built once takes far too long for an answer.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    globalDecompression: false,
  })
}
