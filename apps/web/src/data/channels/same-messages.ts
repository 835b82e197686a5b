import type { Message } from '@parley/contract/chat'
import { compareVersions } from '@parley/contract/message-versions'
import { canonicalParts } from '@parley/contract/parts'
import { utf8 } from '../local/bytes'

/** The fields that a copy must preserve. A home may store other fields, such as the cost, in its own way. */
function contentOf({
  mId,
  chat_request,
  chat_response,
  datetime,
  status,
  error,
  empty,
  forwarded,
  model,
  assistantId,
  finishReason,
  reasoning,
  files = [],
  read = [],
  sources = [],
}: Message): string {
  const parts = [...files, ...read, ...sources]
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
    ...(reasoning === undefined ? [] : [reasoning.text, reasoning.ms]),
    ...(parts.length === 0 ? [] : [canonicalParts(parts)]),
  ])
}

/** Whether the copies contain every message, with the same text and status, in any order. */
export function containsAll(messages: readonly Message[], copies: readonly Message[]): boolean {
  const contents = new Set(copies.map(contentOf))
  return messages.every((message) => contents.has(contentOf(message)))
}

/**
 * The messages to add to the known ones. A message that is known in another state, because both copies of a chat
 * changed after an interrupted move, becomes a message of its own: neither state may be lost. Its id is derived from
 * its content, so that a retry does not add it again.
 */
export async function asVersions(messages: readonly Message[], known: readonly Message[]): Promise<Message[]> {
  const contents = new Map(known.map((message) => [message.mId, contentOf(message)]))
  const version = async (message: Message): Promise<Message> => {
    const there = contents.get(message.mId)
    return there === undefined || there === contentOf(message)
      ? message
      : { ...message, mId: await toUuid(contentOf(message)) }
  }
  return Promise.all(messages.map(version))
}

/**
 * Merges both copies of a chat for display: each message in its later state, or in both states where their order is
 * unknown; in the order of the first copy, the others by their time.
 */
export function mergeCopies(messages: readonly Message[], others: readonly Message[]): Message[] {
  const other = new Map(others.map((message) => [message.mId, message]))
  const rest = new Set(others)
  const both = messages.flatMap((message) => {
    const twin = other.get(message.mId)
    if (!twin) return [message]
    rest.delete(twin)
    if (contentOf(twin) === contentOf(message)) return [message]
    const order = compareVersions(message, twin)
    return order === undefined
      ? [message, { ...twin, mId: `${twin.mId} ${twin.status}` }]
      : [order > 0 ? message : twin]
  })
  for (const message of rest) {
    const at = both.findIndex(({ datetime }) => datetime > message.datetime)
    both.splice(at < 0 ? both.length : at, 0, message)
  }
  return both
}

/** A UUID derived from a text. */
export async function toUuid(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
