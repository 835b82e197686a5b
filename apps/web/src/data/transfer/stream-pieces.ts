/** The pieces of a stream. (Not every browser can loop over one.) Leaving the loop early ends the stream. */
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
