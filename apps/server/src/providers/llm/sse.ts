import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'

/** Events that may wait for the reader before the gateway is slowed down. */
const maxWaiting = 4_096

/**
 * The data of each server-sent event of a body. What comes while nobody asks is gathered and given together, so that a reader that takes its time
 * pays once for many. Broken UTF-8 becomes the replacement character.
 */
export async function* sseData(body: Readable): AsyncGenerator<string[]> {
  let batch: string[] = []
  let end: { error: unknown } | undefined
  let wake = (): void => undefined
  const parser = createParser({ onEvent: ({ data }) => void batch.push(data) })
  const decoder = new TextDecoder()
  const finish = (error?: unknown): void => {
    end ??= { error }
    wake()
  }
  body.on('data', (bytes: Uint8Array) => {
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (batch.length > maxWaiting) body.pause()
    if (batch.length > 0) wake()
  })
  body.once('end', () => finish()).on('error', finish)
  body.once('close', () => finish(new Error('the connection was closed')))
  try {
    for (;;) {
      if (batch.length > 0) {
        const ready = batch
        batch = []
        if (body.isPaused()) body.resume()
        yield ready
      } else if (end) {
        if (end.error !== undefined) throw end.error
        return
      } else {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    body.destroy()
  }
}
