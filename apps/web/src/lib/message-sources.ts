import type { Message } from '@parley/contract/chat'

type MessageSources = Required<Pick<Message, 'files' | 'read' | 'sources'>>

const none: never[] = []

/** What was added with the question, what the answer was given to read, and what it cites. */
export function sourcesOfMessage({ files = none, read = none, sources = none }: Message): MessageSources {
  return { files, read, sources }
}
