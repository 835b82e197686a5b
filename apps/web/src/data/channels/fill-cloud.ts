import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { cloudChannels } from './homes'
import { retryWhenRateLimited } from './rate-limit-retry'

/** How much of a question identifies its message for the person. */
const excerptLength = 60

/**
 * The cloud refuses this message itself; the messages before it are stored. `question`: its beginning, for the person.
 */
export class RefusedMessageError extends AppError {
  readonly question: string

  constructor(question: string, cause: AppError) {
    super('channel.message-refused', { cause })
    this.question = Array.from(question).slice(0, excerptLength).join('')
  }
}

export type CopyOptions = {
  /** Called with the number of messages stored so far. */
  onProgress?: ((done: number) => void) | undefined
  signal?: AbortSignal | undefined
  /** Lets the later state of a message replace the cloud's one. */
  takesNewer?: boolean
}

/**
 * Stores messages in a cloud channel, in their order; those that it has already stay, unless `takesNewer`. Throws
 * AppError, RefusedMessageError.
 */
export async function fillCloud(
  channelId: string,
  messages: readonly Message[],
  { onProgress, signal, takesNewer = false }: CopyOptions = {},
): Promise<void> {
  const step = limits.cloud.maxImportBatch
  const put = (some: readonly Message[]): Promise<number> =>
    retryWhenRateLimited(() => cloudChannels.importMessages(channelId, some, { takesNewer }), signal)
  for (let at = 0; at < messages.length; at += step) {
    const batch = messages.slice(at, at + step)
    try {
      await put(batch)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Sent one by one, to find the refused message.
      for (const message of batch)
        await put([message]).catch((cause: unknown) =>
          Promise.reject(isRefusal(cause) ? new RefusedMessageError(message.chat_request, cause) : cause),
        )
    }
    onProgress?.(Math.min(at + step, messages.length))
  }
}

/** Reads all messages of a cloud channel, oldest first. `onProgress` gets the number read so far. */
export async function readAllFromCloud(
  channelId: string,
  { signal, onProgress }: Pick<CopyOptions, 'signal' | 'onProgress'> = {},
): Promise<Message[]> {
  const pages: Message[][] = []
  let count = 0
  for (let before: string | undefined; ; ) {
    const position = before === undefined ? {} : { before }
    const page = await retryWhenRateLimited(
      () => cloudChannels.messages(channelId, { limit: limits.cloud.maxMessagePage, ...position }),
      signal,
    )
    pages.unshift(page.messages)
    count += page.messages.length
    onProgress?.(count)
    if (page.cursor === undefined) return pages.flat()
    before = page.cursor
  }
}

export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.status === 400 || error.status === 413)
