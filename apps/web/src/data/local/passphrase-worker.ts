import { argon2id } from 'hash-wasm'

type HashRequest = { password: string; salt: Uint8Array; memoryKiB: number; passes: number }

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  const { password, salt, memoryKiB, passes } = data
  argon2id({
    password,
    salt,
    memorySize: memoryKiB,
    iterations: passes,
    parallelism: 1,
    hashLength: 32,
    outputType: 'binary',
  }).then(
    (hash) => postMessage(hash),
    // An uncaught error rejects the caller's promise through `onerror`.
    (error: unknown) =>
      setTimeout(() => {
        throw error
      }),
  )
})
