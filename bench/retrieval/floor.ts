// The floor: pieces of 1,000 characters wherever they end, and BM25 over their words as they are written.
const pieceLength = 1_000
const [k, b] = [1.2, 0.75]

export const piecesOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, n) =>
    text.slice(n * pieceLength, (n + 1) * pieceLength),
  )

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export function plainSearch(pieces: readonly string[]): (question: string) => number[] {
  const counted = pieces.map((piece) => {
    const words = wordsOf(piece)
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { counts, length: words.length }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  return (question) => {
    const scores = counted.map(() => 0)
    for (const word of new Set(wordsOf(question))) {
      const having = counted.filter(({ counts }) => counts.has(word)).length
      const weight = Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))
      for (const [index, { counts, length }] of counted.entries()) {
        const count = counts.get(word) ?? 0
        if (count > 0)
          scores[index] =
            (scores[index] ?? 0) + (weight * count * (k + 1)) / (count + k * (1 - b + (b * length) / average))
      }
    }
    const order = scores.map((_, index) => index)
    return order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  }
}
