/** A text in UTF-8, as raw deflate. */
export function deflated(text: string): Promise<Blob> {
  return through(new Blob([text]), new CompressionStream('deflate-raw'))
}

/** Throws TypeError where the bytes are no raw deflate. */
export async function inflated(content: Blob): Promise<string> {
  return (await through(content, new DecompressionStream('deflate-raw'))).text()
}

function through(from: Blob, stream: CompressionStream | DecompressionStream): Promise<Blob> {
  return new Response(from.stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>>)).blob()
}
