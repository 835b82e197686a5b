import type { Message } from '@parley/contract/chat'
import type { Client } from './person'

type Readers = { messages: { mId: string }[] }

/** What the API tells this person of channels: messages, receipts, and what a search finds. */
export async function answersFor(person: Client, channelIds: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const id of channelIds) {
    const page = (await person.send('GET', `/api/chat/documents/0/100/${id}`)).body as { content: Message[] }
    const content = page.content.map(withoutVersions)
    const messageIds = content.map(({ mId }) => mId)
    const { messages } = (await person.post(`/api/chat/${id}/readers`, { messageIds })).body as Readers
    // They come in any order.
    answers[id] = {
      page: { ...page, content },
      readers: messages.toSorted((a, b) => messageIds.indexOf(a.mId) - messageIds.indexOf(b.mId)),
    }
  }
  answers.conversations = (await person.send('GET', '/api/chat/conversations')).body
  answers.found = (await person.send('GET', '/api/channel/search?q=answer&order=newest')).body
  return answers
}

/** What was told before there were branches. */
function withoutVersions({ afterRunId: _after, versions: _versions, ...message }: Message): Message {
  return message
}
