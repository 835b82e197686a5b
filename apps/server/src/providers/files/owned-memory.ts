import { MessageChannel } from 'node:worker_threads'

// The memory of a Buffer lies outside of V8's heap and goes back when the collector finds the Buffer. V8 counts it: at
// 32 MB it collects all young objects, at 64 MB the whole heap. Where files pass by, that is several times in a second,
// and whoever chats waits for it. So what is known to be of no more use goes back at once.

const { port1: nowhere, port2: nobody } = new MessageChannel()
nobody.close()

/** The Buffer is empty from now on. One that shares its memory with others stays as it is. */
export function freeMemory(buffer: Buffer): void {
  if (buffer.buffer instanceof ArrayBuffer && buffer.length > 0 && buffer.length === buffer.buffer.byteLength)
    // Node 20 has no ArrayBuffer.transfer. What is sent where nobody listens is gone.
    nowhere.postMessage(undefined, [buffer.buffer])
}

/** Each piece is good until the next one is asked for. Only for pieces that nobody else holds. */
export async function* freed(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece
    freeMemory(piece)
  }
}
