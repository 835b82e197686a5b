import type { Message } from '@parley/contract/chat'
import type { FilePart, SourcePart } from '@parley/contract/parts'

type MessageSources = { files: readonly FilePart[]; read: readonly FilePart[]; sources: readonly SourcePart[] }

const none: never[] = []

/** What was added with the question, what the answer was given to read, and what it cites. */
export function sourcesOfMessage({ files = none, read = none, sources = none }: Message): MessageSources {
  return { files, read, sources }
}
