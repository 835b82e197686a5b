/**
 * The chunks of a stream. (Not every browser supports async iteration of streams.) Leaving the loop early cancels the
 * stream.
 */
export async function* piecesOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  let isDone = false
  try {
    while (true) {
      const { done, value } = await reader.read()
      isDone = done
      if (done) return
      yield value
    }
  } catch (error) {
    isDone = true
    throw error
  } finally {
    if (!isDone) await reader.cancel()
    reader.releaseLock()
  }
}
