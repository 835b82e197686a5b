import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { MessageHit, MessagesPage } from '@parley/contract/cloud'
import { uuidv7 } from '@parley/contract/uuid'
import { buildTestApp, type databases } from './build-test-app'
import { aPerson, type Client } from './person'

/** The cloud channels of one person, over HTTP. */
export function cloudOf(person: Client) {
  const ok = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await person.send(method, path, body)
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const at = encodeURIComponent
  return {
    create: async (fields: object = {}) => (await ok<{ data: Channel }>('POST', '/api/channel', fields)).data,
    list: async (query = '') => (await ok<{ channels: Channel[] }>('GET', `/api/channel${query}`)).channels,
    get: (id: string) => ok<Channel>('GET', `/api/channel/${at(id)}`),
    fill: (id: string, messages: Message[]) =>
      ok<{ added: number; existing: number; total: number }>('PUT', `/api/chat/${at(id)}/messages`, { messages }),
    page: (id: string, page: number, size: number, query = '') =>
      ok<MessagesPage>('GET', `/api/chat/documents/${page}/${size}/${at(id)}${query}`),
    message: (id: string, mId: string) => ok<Message>('GET', `/api/chat/${at(id)}/messages/${at(mId)}`),
    search: async (q: string) => (await ok<{ results: MessageHit[] }>('GET', `/api/channel/search?q=${at(q)}`)).results,
  }
}

export const aMessage = (fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})

export const messagesAsking = (questions: string[]): Message[] =>
  questions.map((chat_request) => aMessage({ chat_request }))
export const questionsOf = ({ content }: MessagesPage): string[] => content.map(({ chat_request }) => chat_request)
/** q{from} to q{to}. */
export const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `q${from + index}`)

export async function anApp(kind: (typeof databases)[number], now?: () => number) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' }, ...(now ? { now } : {}) })
  const ana = await aPerson(app, 'ana@example.org')
  return { app, ana, cloud: cloudOf(ana) }
}
