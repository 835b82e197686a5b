import type { Message } from '@parley/contract/chat'
import { utf8 } from '../local/bytes'

/** Whether every message is among the copies, with the same text and the same state, and in the same order. The copies may have others between them. */
export function hasAll(messages: readonly Message[], copies: readonly Message[]): boolean {
  const contents = copies.map(contentOf)
  let at = 0
  for (const message of messages) {
    const found = contents.indexOf(contentOf(message), at)
    if (found === -1) return false
    at = found + 1
  }
  return true
}

/** What nobody may miss in a copy. Figures beside it, such as what it cost, a home may keep in its own way. */
function contentOf({ mId, chat_request, chat_response, datetime, status, error, empty, forwarded, model, assistantId, finishReason }: Message): string {
  const { code, content } = error ?? {}
  return JSON.stringify([
    mId,
    chat_request,
    chat_response.content,
    datetime,
    status,
    code,
    content,
    empty ?? false,
    forwarded ?? false,
    model,
    assistantId,
    finishReason,
  ])
}

/** Whether every message is among the copies, with the same text and the same state, in whatever order. */
export function hasEach(messages: readonly Message[], copies: readonly Message[]): boolean {
  const contents = new Set(copies.map(contentOf))
  return messages.every((message) => contents.has(contentOf(message)))
}

/**
 * The messages as they are to stand beside the known ones. One that is known in another state, because both copies of a chat went on after a move that was cut
 * off, comes as a message of its own: neither state may be lost. Its id follows from what it says, so that the next try does not add it again.
 */
export async function asVersions(messages: readonly Message[], known: readonly Message[]): Promise<Message[]> {
  const contents = new Map(known.map((message) => [message.mId, contentOf(message)]))
  const version = async (message: Message): Promise<Message> => {
    const there = contents.get(message.mId)
    return there === undefined || there === contentOf(message) ? message : { ...message, mId: await toUuid(contentOf(message)) }
  }
  return Promise.all(messages.map(version))
}

/** An id that follows from a text, in the form of the others. */
async function toUuid(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
