import type { Message } from '@parley/contract/chat'
import type { FilePart, SourcePart } from '@parley/contract/parts'

type MessageSources = { files: readonly FilePart[]; read: readonly FilePart[]; sources: readonly SourcePart[] }

const none: never[] = []

/** What was added with the question, what the answer was given to read, and what it cites. */
export function sourcesOfMessage({ files = none, read = none, sources = none }: Message): MessageSources {
  return { files, read, sources }
}

/** What a person sees and copies of a question: of one that consists of files alone, their names. */
export const questionText = ({ chat_request, files = none }: Pick<Message, 'chat_request' | 'files'>): string =>
  chat_request || files.map(({ name }) => name).join(', ')
