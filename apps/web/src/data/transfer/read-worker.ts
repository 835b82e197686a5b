// Unpacks, decrypts and reads an import file in a worker: one batch per request of the page.
import { AppError, type ErrorCode } from '@parley/contract/errors'
import type { FileHead } from './entries'
import { type Batch, type ReadOptions, readEntries } from './read-entries'

export type ReadOrder = { file: File; options: ReadOptions } | 'next'
export type ReadReply = { batch: Batch } | { head: FileHead } | { failure: ErrorCode; issues: AppError['issues'] }

let batches: ReturnType<typeof readEntries> | undefined

addEventListener('message', ({ data }: MessageEvent<ReadOrder>) => {
  if (data !== 'next') {
    batches = readEntries(data.file, data.options)
    return
  }
  const reply = (message: ReadReply): void => postMessage(message)
  batches?.next().then(
    ({ done, value }) => reply(done ? { head: value } : { batch: value }),
    (error: unknown) => {
      const { code, issues } = error instanceof AppError ? error : new AppError('unknown')
      reply({ failure: code, issues })
    },
  )
})
