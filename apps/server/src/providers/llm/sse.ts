import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'

/** Events that may wait for the reader before the gateway is slowed down. */
const maxWaiting = 4_096

/**
 * The data of each server-sent event of a body. What comes while nobody asks is gathered and given together, so that a
 * reader that takes its time pays once for many. Broken UTF-8 becomes the replacement character. A line ends with LF,
 * CR or both; the last one of a whole body needs no end.
 */
export async function* sseData(body: Readable): AsyncGenerator<string[]> {
  let batch: string[] = []
  let end: { error: unknown } | undefined
  let wake = (): void => undefined
  const parser = createParser({ onEvent: ({ data }) => void batch.push(data) })
  const decoder = new TextDecoder()
  // The parser keeps back a CR at the end of what it has, for an LF may follow: the line would be late by one piece. So
  // it gets none.
  let endedWithCr = false
  const feed = (text: string): void => {
    const rest = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedWithCr = text.endsWith('\r')
    parser.feed(rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest)
  }
  const finish = (error?: unknown): void => {
    end ??= { error }
    wake()
  }
  body.on('data', (bytes: Uint8Array) => {
    feed(decoder.decode(bytes, { stream: true }))
    if (batch.length > maxWaiting) body.pause()
    if (batch.length > 0) wake()
  })
  body.once('end', () => {
    feed(`${decoder.decode()}\n\n`)
    finish()
  })
  body.on('error', finish)
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
