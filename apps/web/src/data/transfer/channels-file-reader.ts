import { AppError } from '@parley/contract/errors'
import { isSafeKey } from '@parley/contract/transfer'
import { JSONParser, TokenType } from '@streamparser/json'

type Handlers = {
  onChannel: (value: unknown) => void
  onMessage: (channelId: string, value: unknown) => void | Promise<void>
  onBytes: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Reads a channels file of any size in pieces: its channels and messages are handed over one by one and forgotten.
 * Throws transfer.invalid when it is not whole, not JSON, or has no `channels` and `chats`; the signal's reason when that aborts.
 */
export async function readChannelsFile(file: Blob, { onChannel, onMessage, onBytes, signal }: Handlers): Promise<void> {
  const shape = new TopLevel()
  const waiting: (() => void | Promise<void>)[] = []
  const parser = new JSONParser({ paths: ['$.channels.*', '$.chats.*.*'], keepStack: false })
  parser.onToken = ({ token, value }) => shape.see(token, value)
  parser.onValue = ({ value, stack }) => {
    if (stack[1]?.key === 'channels') waiting.push(() => onChannel(value))
    const channelId = stack[2]?.key
    if (stack[1]?.key !== 'chats') return
    if (typeof channelId !== 'string' || !isSafeKey(channelId)) throw new AppError('transfer.invalid')
    waiting.push(() => onMessage(channelId, value))
  }
  // Without a handler of its own the parser throws out of reach.
  let failure: unknown
  parser.onError = (error) => {
    failure = error
  }
  const ended = new Promise<void>((resolve) => {
    parser.onEnd = resolve
  })

  const reader = file.stream().getReader()
  try {
    for (let bytes = 0; ; ) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) break
      parser.write(value)
      if (failure) throw failure
      for (const act of waiting.splice(0)) await act()
      bytes += value.byteLength
      onBytes(bytes)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  } finally {
    reader.releaseLock()
  }
  if (!parser.isEnded || !shape.isChannelsFile()) throw new AppError('transfer.invalid')
  await ended
}

/** Watches which keys the outermost object has, and what they hold; the values themselves are read elsewhere. */
class TopLevel {
  private depth = 0
  private key: unknown
  private last: unknown
  private readonly kinds = new Map<unknown, TokenType>()

  see(token: TokenType, value: unknown): void {
    if (this.depth === 1 && token === TokenType.COLON) this.key = this.last
    else if (this.depth === 1 && this.key !== undefined) {
      this.kinds.set(this.key, token)
      this.key = undefined
    }
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.depth++
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth--
    this.last = value
  }

  isChannelsFile(): boolean {
    return this.kinds.get('channels') === TokenType.LEFT_BRACKET && this.kinds.get('chats') === TokenType.LEFT_BRACE
  }
}
