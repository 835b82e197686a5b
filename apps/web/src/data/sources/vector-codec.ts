// Vectors as they are stored: a scale of four bytes, little end first, and one byte for each number, in scales.

const scaleBytes = 4
const mostSteps = 127

/** Of this many bytes is one vector of so many numbers. */
const bytesOf = (dimensions: number): number => scaleBytes + dimensions

/** One after the other; undefined: a text that has none, which is near to nothing. */
export function packVectors(
  vectors: readonly (Float32Array | undefined)[],
  dimensions: number,
): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(vectors.length * bytesOf(dimensions))
  const view = new DataView(packed.buffer)
  for (const [index, vector] of vectors.entries()) {
    const start = index * bytesOf(dimensions)
    if (!vector) continue
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / mostSteps
    if (scale === 0) continue
    view.setFloat32(start, scale, true)
    for (let at = 0; at < dimensions; at++) view.setInt8(start + scaleBytes + at, Math.round((vector[at] ?? 0) / scale))
  }
  return packed
}

/** The passages whose vectors point nearest to the one of a question, best first. */
export function nearest(
  question: Float32Array,
  sources: readonly { id: string; packed: Uint8Array }[],
  limit: number,
): { id: string; index: number }[] {
  const size = bytesOf(question.length)
  const hits: { id: string; index: number; score: number }[] = []
  for (const { id, packed } of sources) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let index = 0; (index + 1) * size <= packed.length; index++) {
      const score = likeness(question, view, index * size)
      if (score > 0) hits.push({ id, index, score })
    }
  }
  return hits
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ id, index }) => ({ id, index }))
}

/** The cosine of the angle between both, as far as the steps tell: both have unit length. */
function likeness(question: Float32Array, view: DataView, start: number): number {
  let sum = 0
  for (let at = 0; at < question.length; at++) sum += (question[at] ?? 0) * view.getInt8(start + scaleBytes + at)
  return sum * view.getFloat32(start, true)
}
