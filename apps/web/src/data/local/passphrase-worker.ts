import { argon2id } from 'hash-wasm'

type Work = { password: string; salt: Uint8Array; memoryKiB: number; passes: number }

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  const { password, salt, memoryKiB, passes } = data
  argon2id({ password, salt, memorySize: memoryKiB, iterations: passes, parallelism: 1, hashLength: 32, outputType: 'binary' }).then(
    (hash) => postMessage(hash),
    // Fails the promise of whoever asked.
    (error: unknown) =>
      setTimeout(() => {
        throw error
      }),
  )
})
