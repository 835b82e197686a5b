import { startStandIn } from './http-stand-in'

/** Words that mean the like. No thesaurus has them: what is found by them is found by its vector. */
const meanings = [
  ['quimple', 'zorbat'],
  ['lamp', 'light'],
]

/**
 * An embedding service on this machine: a vector counts the words of each meaning in the text. Nothing about how good a
 * real model is can be learned from it.
 */
export async function startEmbedding(dimensions = 8) {
  const state = { isAway: false, dimensions, refuses: undefined as string | undefined }
  const calls: { model: string; input: string[]; key: string | undefined }[] = []
  const vectorOf = (text: string): number[] => {
    const words = text.toLowerCase().split(/[^\p{L}]+/u)
    const counts = meanings.map((like) => words.filter((word) => like.includes(word)).length)
    return [...counts, ...Array.from({ length: state.dimensions - counts.length }, (_, at) => (at === 0 ? 0.1 : 0))]
  }
  const server = await startStandIn(({ url, method, body, headers }) => {
    if (method !== 'POST' || !url.pathname.endsWith('/embeddings')) return { status: 404, json: {} }
    if (state.isAway) return { status: 503, json: { error: { message: 'overloaded' } } }
    const { model, input } = JSON.parse(body) as { model: string; input: string[] }
    calls.push({ model, input, key: headers.authorization })
    const { refuses } = state
    if (refuses !== undefined && input.some((text) => text.includes(refuses)))
      return { status: 400, json: { error: { message: 'maximum context length' } } }
    // In any order: the index counts.
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse()
    return { status: 200, json: { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } } }
  })
  return { ...server, state, calls }
}
