/** A text in UTF-8, as raw deflate. */
export function deflated(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return through(new Blob([text]), new CompressionStream('deflate-raw'))
}

/** Throws TypeError where the bytes are no raw deflate. */
export async function inflated(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  return new TextDecoder().decode(await through(new Blob([...pieces]), new DecompressionStream('deflate-raw')))
}

async function through(from: Blob, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const passed = from.stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>>)
  return new Uint8Array(await new Response(passed).arrayBuffer())
}
