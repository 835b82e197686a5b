import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { utf8 } from '../local/bytes'

/**
 * Splits messages into batches that one call accepts, by number and by the bytes of their JSON. A larger message is a
 * batch alone.
 */
export function* messageBatches(messages: readonly Message[]): Generator<Message[]> {
  let batch: Message[] = []
  let length = 0
  for (const message of messages) {
    const size = utf8(JSON.stringify(message)).length + 1
    if (
      batch.length > 0 &&
      (batch.length >= limits.cloud.maxImportBatch || length + size > webLimits.cloud.importCallBytes)
    ) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(message)
    length += size
  }
  if (batch.length > 0) yield batch
}
