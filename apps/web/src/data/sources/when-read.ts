import { AppError } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import { onChange } from '../local/changes'
import { isUnread } from './source-state'

type Options = {
  signal?: AbortSignal | undefined
  /** The list is read again after this time in any case, in milliseconds: what tells of changes may be lost. */
  pollMs?: number
}

/** Resolves when no source of a channel is being read any more. Throws source.cancelled when the signal is aborted. */
export async function whenAllRead(
  channelId: string,
  list: (channelId: string) => Promise<Source[]>,
  { signal, pollMs }: Options = {},
): Promise<void> {
  const changes = new ChangeWaiter(channelId, pollMs)
  signal?.addEventListener('abort', changes.wake)
  try {
    while ((await list(channelId)).some(isUnread)) {
      if (signal?.aborted) throw new AppError('source.cancelled')
      await changes.next()
    }
  } finally {
    signal?.removeEventListener('abort', changes.wake)
    changes.end()
  }
}

/** Waits for changes of the sources of a channel, also for one that came since the last wait. */
class ChangeWaiter {
  private hasCome = false
  private resolve: (() => void) | undefined
  readonly end: () => void

  constructor(
    channelId: string,
    private readonly pollMs: number | undefined,
  ) {
    this.end = onChange((change) => {
      if (change.kind !== 'sources' || change.channelId !== channelId) return
      // How far one is read ends no wait.
      if (!change.source && !change.told?.progress) this.wake()
    })
  }

  readonly wake = (): void => {
    this.hasCome = true
    this.resolve?.()
  }

  async next(): Promise<void> {
    const timer = this.pollMs === undefined ? undefined : setTimeout(this.wake, this.pollMs)
    if (!this.hasCome)
      await new Promise<void>((resolve) => {
        this.resolve = resolve
      })
    clearTimeout(timer)
    this.hasCome = false
  }
}
