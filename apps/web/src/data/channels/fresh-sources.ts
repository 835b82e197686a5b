import type { Message } from '@parley/contract/chat'
import type { FilePart } from '@parley/contract/parts'
import type { Source } from '@parley/contract/sources'
import type { QueuedQuestion } from './queued-questions'

/**
 * The sources that no question was asked with yet. `said`: the newest messages of the chat. `queued`: the questions
 * that wait in it.
 */
export function freshSources(
  sources: readonly Source[],
  said: readonly Message[],
  queued: readonly QueuedQuestion[],
): Source[] {
  const asked = new Set([...said, ...queued].flatMap(({ files = [] }) => files.map(({ fileId }) => fileId)))
  const [oldest] = said
  // Older ones may have been asked with before the messages that are known here.
  return sources.filter(
    ({ id, addedAt }) => !asked.has(id) && (!oldest || Date.parse(addedAt) > Date.parse(oldest.datetime)),
  )
}

/** Those that are read, as a question that was asked with them keeps them. */
export const filesOf = (sources: readonly Source[]): FilePart[] =>
  sources.filter(({ status }) => status === 'processed').map(filePartOf)

const filePartOf = ({ id, name, mediaType, bytes, pages, url }: Source): FilePart => ({
  ...{ type: 'file', fileId: id, name, mediaType, bytes },
  reading: mediaType.startsWith('image/') ? 'picture' : 'whole',
  ...(pages === undefined ? {} : { pages }),
  ...(url === undefined ? {} : { url }),
})
