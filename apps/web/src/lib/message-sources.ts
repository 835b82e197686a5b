import type { Message } from '@parley/contract/chat'
import type { FilePart, SourcePart } from '@parley/contract/parts'

/** What was added with the question, what the answer was given to read, and what it cites. */
type MessageSources = { files?: FilePart[]; read?: FilePart[]; sources?: SourcePart[] }

const none: never[] = []

export function sourcesOfMessage(message: Message & MessageSources): Required<MessageSources> {
  const { files = none, read = none, sources = none } = message
  return { files, read, sources }
}
