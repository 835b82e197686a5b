import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readInProcess } from './reader-process'

const program = fileURLToPath(new URL('../../../.cache/reader-child.js', import.meta.url))

it('ends when what it has read is not taken, however much there still is', async () => {
  // Far more than a pipe holds.
  const bytes = Buffer.from('The rent is 900.\n\n'.repeat(100_000))
  let taken = 0
  const reading = readInProcess(
    { name: 'long.txt', bytes: bytes.length },
    (async function* () {
      yield bytes
    })(),
    {
      onProgress: async () => undefined,
      onDocument: async (gzip) => {
        for await (const piece of gzip) taken += piece.length
      },
      onPassages: async () => {
        // Until its pipe is full.
        await delay(300)
        throw new Error('the source is gone')
      },
    },
    { timeMs: 60_000, memoryBytes: 768 * 1024 * 1024, program, signal: new AbortController().signal },
  )
  await expect(reading).rejects.toThrow('the source is gone')
  expect(taken).toBeGreaterThan(0)
})
