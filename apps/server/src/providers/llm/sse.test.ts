import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sseData } from './sse'

async function all(body: Readable): Promise<string[]> {
  const seen: string[] = []
  for await (const batch of sseData(body)) seen.push(...batch)
  return seen
}

const streamOf = (...parts: Uint8Array[]): Readable => Readable.from(parts, { objectMode: false })
const event = (data: string): string => `data: ${JSON.stringify(data)}\n\n`

it('reads every event whole, wherever the network cuts the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }),
      fc.array(fc.nat()),
      fc.constantFrom('', ': OPENROUTER PROCESSING\n\n', ':\n'),
      async (texts, cuts, comment) => {
        const bytes = Buffer.from(texts.map((text) => comment + event(text)).join(''))
        const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
        const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const seen = await all(streamOf(...parts.filter(({ length }) => length > 0)))
        expect(seen.map((data) => JSON.parse(data))).toEqual(texts)
      },
    ),
    { numRuns: 200 },
  )
})

it.each(['\n', '\r', '\r\n'])('reads lines that end with %j, also when the last one has no end', async (end) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('one', 'two', '{"a":1}'), { minLength: 1 }),
      fc.array(fc.nat()),
      async (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `data: ${text}`).join(end + end))
        const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
        const parts = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
        expect(await all(streamOf(...parts.filter(({ length }) => length > 0)))).toEqual(texts)
      },
    ),
    { numRuns: 100 },
  )
})

it('gives an event whose lines end with a lone CR when it is there, not with the next one', async () => {
  const body = new Readable({ read: () => undefined })
  const reader = sseData(body)
  body.push('data: one\r\r')
  expect(await reader.next()).toEqual({ done: false, value: ['one'] })
  body.push('data: two\r\r')
  expect(await reader.next()).toEqual({ done: false, value: ['two'] })
  await reader.return(undefined)
})

it('gives what had come before the connection broke, then says that it broke', async () => {
  const body = new Readable({ read: () => undefined })
  const seen: string[] = []
  const reading = (async () => {
    for await (const batch of sseData(body)) {
      seen.push(...batch)
      body.destroy(new Error('cut'))
    }
  })()
  body.push('data: one\n\ndata: two\n\ndata: thr')
  await expect(reading).rejects.toThrow('cut')
  expect(seen).toEqual(['one', 'two'])
})

it('slows the gateway down while nobody takes what has come, and lets go of it in the end', async () => {
  let made = 0
  const body = new Readable({
    read() {
      this.push(event(`event ${made++}`).repeat(100))
    },
  })
  const reader = sseData(body)
  await reader.next()
  await expect.poll(() => body.isPaused()).toBe(true)
  const madeWhilePaused = made
  await new Promise((resolve) => setImmediate(resolve))
  // What its own buffer holds may still be filled.
  expect(made - madeWhilePaused).toBeLessThan(50)
  await reader.next()
  expect(body.isPaused()).toBe(false)
  await reader.return(undefined)
  expect(body.destroyed).toBe(true)
})
