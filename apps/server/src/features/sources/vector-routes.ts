import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { sourceVectorRoutes } from '@parley/contract/source-vectors'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import { hungUp } from '../../plugins/hung-up'
import type { Embedder } from '../../providers/embeddings/embedder'

type Deps = { embedder?: Embedder | undefined; log: FastifyBaseLogger }

const limits = serverLimits.embeddings
const options = {
  permission: 'person',
  perMinute: limits.deviceCallsPerMinute,
  bodyBytes: limits.deviceBodyBytes,
} as const

/** Vectors for devices, which keep them themselves: nothing of a text stays here, nor gets into a log. */
export function registerVectorRoutes(app: FastifyInstance, { embedder, log }: Deps): void {
  handle(app, sourceVectorRoutes.embed, options, async ({ body: { texts }, reply }) => {
    if (!embedder) throw new AppError('source.vectors-off')
    const signal = hungUp(reply)
    try {
      const key = await embedder.key()
      const vectors = await embedder.embed(texts, signal)
      if (key !== (await embedder.key())) throw new Error('the embedding service changed its vectors meanwhile')
      return { key, vectors: vectors.map((vector) => (vector ? base64Of(vector) : null)) }
    } catch (error) {
      // What is no JSON is quoted by its error, and may quote the texts.
      const reason = error instanceof Error && !(error instanceof SyntaxError) ? error.message : 'no answer in JSON'
      if (!signal.aborted) log.warn({ reason }, 'a device gets no vectors')
      throw new AppError('source.vectors-away')
    }
  })
}

/** Every machine that Node runs on has the little end first. */
const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
