import type { Message } from '@parley/contract/chat'
import { compareVersions } from '@parley/contract/message-versions'
import { utf8 } from '../local/bytes'

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

/** What a copy lacks: messages, and later states of messages that it has. */
export type Lacking = { messages: Message[]; newer: Message[] }

/**
 * What `copies` lack of `messages`, in their order. Of two states of one message the later one counts; where nothing
 * tells which that is, both stand, as in `asVersions`. Empty when the copy has everything.
 */
export async function lackingIn(copies: readonly Message[], messages: readonly Message[]): Promise<Lacking> {
  const known = new Map(copies.map((copy) => [copy.mId, copy]))
  const lacking: Lacking = { messages: [], newer: [] }
  for (const message of messages) {
    const copy = known.get(message.mId)
    if (!copy) lacking.messages.push(message)
    if (!copy || contentOf(copy) === contentOf(message)) continue
    const order = compareVersions(message, copy)
    if (order !== undefined && order > 0) lacking.newer.push(message)
    if (order !== undefined) continue
    const version = { ...message, mId: await toUuid(contentOf(message)) }
    if (!known.has(version.mId)) lacking.messages.push(version)
  }
  return lacking
}

/**
 * The messages of both copies of a chat as they are shown together: each in its later state, or in both where nothing
 * tells which that is; in the order of the first copy, the others by their time.
 */
export function unionOf(messages: readonly Message[], others: readonly Message[]): Message[] {
  const other = new Map(others.map((message) => [message.mId, message]))
  const rest = new Set(others)
  const both = messages.flatMap((message) => {
    const twin = other.get(message.mId)
    if (!twin) return [message]
    rest.delete(twin)
    if (contentOf(twin) === contentOf(message)) return [message]
    const order = compareVersions(message, twin)
    return order === undefined ? [message, { ...twin, mId: `${twin.mId} ${twin.status}` }] : [order > 0 ? message : twin]
  })
  for (const message of rest) {
    const at = both.findIndex(({ datetime }) => datetime > message.datetime)
    both.splice(at < 0 ? both.length : at, 0, message)
  }
  return both
}

/** An id that follows from a text, in the form of the others. */
async function toUuid(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
