import type { FastifyReply } from 'fastify'

/** Aborts when the connection closes before the answer was sent whole: nobody waits for it any more. */
export function hungUp({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
