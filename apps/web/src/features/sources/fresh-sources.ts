import type { Message } from '@parley/contract/chat'
import type { Source } from '@parley/contract/sources'
import { sourcesOfMessage } from '../../lib/message-sources'

/** The sources that no question was asked with yet. `said`: the newest messages of the chat. */
export function freshSources(sources: readonly Source[], said: readonly Message[]): Source[] {
  const asked = new Set(said.flatMap((message) => sourcesOfMessage(message).files.map(({ fileId }) => fileId)))
  const [oldest] = said
  // Older ones may have been asked with before the messages that are known here.
  return sources.filter(
    ({ id, addedAt }) => !asked.has(id) && (!oldest || Date.parse(addedAt) > Date.parse(oldest.datetime)),
  )
}
