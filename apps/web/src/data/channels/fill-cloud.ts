import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { cloudChannels } from './homes'
import { whenAllowed } from './when-allowed'

/** So much of a question names the message that it began. */
const shownCharacters = 60

/** A message that the cloud refuses for what it is; everything before it is there. `question`: its beginning, for the person. */
export class RefusedMessageError extends AppError {
  readonly question: string

  constructor(message: Message, cause: AppError) {
    super('channel.message-refused', { cause })
    this.question = Array.from(message.chat_request).slice(0, shownCharacters).join('')
  }
}

type Work = {
  /** Called with how many of the messages have been put. */
  onProgress?: ((done: number) => void) | undefined
  signal?: AbortSignal | undefined
  /** Of a message that the cloud has, the state that was written later stands there. */
  takesNewer?: boolean
}

/**
 * Puts messages into a cloud channel, in their order; those that it has stay as they are, unless `takesNewer`. Throws
 * AppError, RefusedMessageError.
 */
export async function fillCloud(channelId: string, messages: readonly Message[], { onProgress, signal, takesNewer = false }: Work = {}): Promise<void> {
  const step = limits.cloud.maxImportBatch
  const put = (some: readonly Message[]): Promise<number> => whenAllowed(() => cloudChannels.importMessages(channelId, some, { takesNewer }), signal)
  for (let at = 0; at < messages.length; at += step) {
    const batch = messages.slice(at, at + step)
    try {
      await put(batch)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // One by one it shows which of them it is.
      for (const message of batch)
        await put([message]).catch((cause: unknown) => Promise.reject(isRefusal(cause) ? new RefusedMessageError(message, cause) : cause))
    }
    onProgress?.(Math.min(at + step, messages.length))
  }
}

/** Oldest first. `onProgress` hears how many have been read. */
export async function allInCloud(channelId: string, { signal, onProgress }: Pick<Work, 'signal' | 'onProgress'> = {}): Promise<Message[]> {
  const pages: Message[][] = []
  let count = 0
  for (let before: string | undefined; ; ) {
    const place = before === undefined ? {} : { before }
    const page = await whenAllowed(() => cloudChannels.messages(channelId, { limit: limits.cloud.maxMessagePage, ...place }), signal)
    pages.unshift(page.messages)
    count += page.messages.length
    onProgress?.(count)
    if (page.cursor === undefined) return pages.flat()
    before = page.cursor
  }
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && (error.status === 400 || error.status === 413)
