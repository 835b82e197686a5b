import { serverLimits } from '@parley/contract/limits/server'
import * as z from 'zod/mini'
import type { Egress } from '../egress'

/** Makes vectors of texts: texts that mean the like have vectors that point the same way. */
export interface Embedder {
  /**
   * Names what its vectors can be compared with: those of the same key alone. Asks the service once; throws while it is
   * away.
   */
  key(): Promise<string>
  /**
   * One of unit length for each text; undefined for a text that the service refuses. Throws where the service is away
   * or answers something else, and once its vectors are not those of `key` any more.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]>
}

type Options = { baseUrl: string; apiKey: string | undefined; model: string; egress: Egress }

const limits = serverLimits.embeddings
const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).check(z.maxLength(limits.maxDimensions)) })),
})

/** Too long, or otherwise not to its liking: another try brings nothing. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422])

/** The call `embeddings` of an OpenAI-compatible service. */
export function createEmbedder({ baseUrl, apiKey, model, egress }: Options): Embedder {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const service = egress.service({ baseUrl, headers })
  let dimensions: number | undefined

  /** Undefined: refused. */
  async function ask(input: readonly string[], signal: AbortSignal): Promise<Float32Array[] | undefined> {
    const response = await service('embeddings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]),
    })
    const text = await boundedText(response.body)
    if (refusals.has(response.status)) return undefined
    if (!response.isOk) throw new Error(`the embedding service answered ${response.status}`)
    const { data } = z.parse(Answer, JSON.parse(text))
    const vectors = data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => unitOf(embedding))
    const isWhole = vectors.length === input.length && data.every(({ index }) => index >= 0 && index < input.length)
    if (!isWhole) throw new Error('the embedding service answered another number of vectors')
    if (vectors.some(({ length }) => length !== (dimensions ?? vectors[0]?.length))) {
      dimensions = undefined
      throw new Error('the embedding service answers vectors of another length')
    }
    return vectors
  }

  /** Halves what is refused, until it is known which text that is for. */
  async function embedBatch(batch: readonly string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]> {
    const vectors = await ask(batch, signal)
    if (vectors) return vectors
    if (batch.length <= 1) return [undefined]
    const middle = Math.ceil(batch.length / 2)
    return [...(await embedBatch(batch.slice(0, middle), signal)), ...(await embedBatch(batch.slice(middle), signal))]
  }

  return {
    async key() {
      if (dimensions === undefined) {
        const [vector] = (await ask(['dimensions'], AbortSignal.timeout(limits.timeoutMs))) ?? []
        if (!vector) throw new Error('the embedding service refuses a word: is EMBEDDING_MODEL one of its models?')
        dimensions = vector.length
      }
      return `${model}#${dimensions}`
    },
    async embed(texts, signal) {
      await this.key()
      const vectors: (Float32Array | undefined)[] = []
      for (const batch of batchesOf(texts)) vectors.push(...(await embedBatch(batch, signal)))
      return vectors
    },
  }
}

/** By number and by size; what is too long for any model is cut. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const text of texts) {
    const cut = text.slice(0, limits.maxTextLength) || ' '
    const last = batches.at(-1)
    if (last && last.length < limits.batchTexts && cut.length <= room) {
      last.push(cut)
      room -= cut.length
    } else {
      batches.push([cut])
      room = limits.batchCharacters - cut.length
    }
  }
  return batches
}

/** Throws where it points nowhere. */
function unitOf(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  if (!Number.isFinite(length) || length === 0) throw new Error('the embedding service answered no vector')
  return Float32Array.from(values, (value) => value / length)
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    // Leaving the loop destroys the stream.
    if (bytes > limits.maxAnswerBytes) throw new Error('the embedding service answers too much')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
