import type { OutlineEntry } from '@parley/contract/branches'
import type { Message } from '@parley/contract/chat'
import type { MessagesPage } from '@parley/contract/cloud'
import type { Client } from './person'

/** The branches of a cloud channel, as one person reads and changes them. */
export function branchesOf(person: Client, channelId: string) {
  const page = async (query = ''): Promise<MessagesPage> =>
    (await person.send('GET', `/api/chat/documents/0/100/${channelId}${query}`)).body as MessagesPage
  const messages = async (): Promise<Message[]> => (await page()).content
  return {
    page,
    messages,
    questions: async () => (await messages()).map(({ chat_request }) => chat_request),
    answers: async () => (await messages()).map(({ chat_response }) => chat_response.content),
    show: async (mId: string, runId?: string) =>
      (await person.send('PUT', `/api/channel/${channelId}/head`, { mId, ...(runId ? { runId } : {}) })).status,
    branch: (body: { mId: string; runId?: string; newId?: string }) =>
      person.send('POST', `/api/channel/${channelId}/branch`, body),
    remove: (mId: string) => person.send('DELETE', `/api/channel/${channelId}/branch/${mId}`),
    outline: async () =>
      ((await person.send('GET', `/api/channel/${channelId}/outline`)).body as { entries: OutlineEntry[] }).entries,
    pin: async (mId: string, isPinned: boolean) =>
      (await person.send('PUT', `/api/chat/${channelId}/messages/${mId}/pin`, { isPinned })).status,
  }
}
