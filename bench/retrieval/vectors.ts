// With an embedding model of the operator's: the same embedder, texts and numbers as on the server.
import { serverLimits } from '@parley/contract/limits/server'
import type { Passage } from '@parley/contract/read-document'
import { createEgress } from '../../apps/server/src/providers/egress'
import { createEmbedder } from '../../apps/server/src/providers/embeddings/embedder'

type Source = { id: string; passages: readonly Passage[] }
type Near = { id: string; index: number }

export type Meaning = {
  model: string
  /** Passages and questions that the service refused: they are searched by words alone. */
  refused: number
  /** The nearest passages of these sources, best first. */
  nearest(question: string, from: readonly Source[]): Near[]
}

/** Undefined without EMBEDDING_MODEL and EMBEDDING_BASE_URL. */
export async function embedAll(sources: readonly Source[], questions: readonly string[]): Promise<Meaning | undefined> {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey } = process.env
  if (!model || !baseUrl) return undefined
  const embedder = createEmbedder({ baseUrl, apiKey, model, egress: createEgress() })
  const embed = (texts: readonly string[]) => embedder.embed(texts, AbortSignal.timeout(3_600_000))
  const ofSources = new Map<string, (Float32Array | undefined)[]>()
  for (const { id, passages } of sources) ofSources.set(id, await embed(passages.map(embeddedText)))
  const made = await embed(questions)
  const ofQuestions = new Map(questions.map((question, at) => [question, made[at]]))
  return {
    model,
    refused: [...ofSources.values(), made].flat().filter((vector) => !vector).length,
    nearest(question, from) {
      const asked = ofQuestions.get(question)
      if (!asked) return []
      return from
        .flatMap(({ id }) =>
          (ofSources.get(id) ?? []).flatMap((vector, index) =>
            vector ? [{ id, index, score: product(vector, asked) }] : [],
          ),
        )
        .sort((one, other) => other.score - one.score)
        .slice(0, serverLimits.embeddings.nearest)
    },
  }
}

/** As in apps/server/src/features/sources/vector-jobs.ts. */
const embeddedText = ({ headings, text }: Passage): string => [headings.slice(-2).join(' › '), text].join('\n').trim()

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
