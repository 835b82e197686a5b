import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { type ChatClient, Visitor } from './chat-client'
import type { ChatApp } from './chat-setups'
import { aPerson, type Client } from './person'

type Place = { call(path: string, init?: RequestInit): Promise<Response>; url: string }

export const tokenOf = ({ tokens }: Client): string => tokens?.access_token ?? ''

/** A person with a cloud channel, on a socket. */
export async function aTalker(place: Place, email = 'ana@example.org') {
  const person = await aPerson(place, email)
  const created = await person.post('/api/channel', {})
  const channelId = (created.body as { data: { id: string } }).data.id
  const client = await new Visitor(tokenOf(person)).connect(place)
  const ask = (question: string, more: Partial<CreateChatMessage> = {}, on: ChatClient = client): string =>
    on.ask(question, { storageMode: 'cloud', channelId, ...more })
  const stored = async (): Promise<Message[]> =>
    ((await person.send('GET', `/api/chat/documents/0/100/${channelId}`)).body as { content: Message[] }).content
  return { person, userId: person.answer.user.id, channelId, client, ask, stored }
}

export const requestsOf = ({ gateway }: Pick<ChatApp, 'gateway'>) =>
  gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))
/** What the model was given, without the system's part. */
export const givenTo = (app: ChatApp) => requestsOf(app).at(-1)?.body.messages.slice(1)
export const exchange = (question: string, answer: string) => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
]
