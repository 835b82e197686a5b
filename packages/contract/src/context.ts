import type { ContextMessage, Message } from './chat'
import { limits } from './limits/shared'
import type { Model } from './models'
import { estimateTokensOf } from './token-estimate'

// What of a conversation goes along with a question. The client plans it for chats of the device, the server for those
// in the cloud, and both by these functions, which are pure.

/** What was said with one question: the question, and its answer where there is one. */
export type ContextExchange = {
  messages: readonly ContextMessage[]
  /** Where the messages are not at hand: how long they are. Such an exchange is never the newest one of a path. */
  size?: ContextSize | undefined
  /** It goes along with every later question. */
  isPinned?: boolean | undefined
}

/** The estimated tokens of messages, and the bytes of their JSON. */
export type ContextSize = { tokens: number; bytes: number }

/** How much of a conversation fits. `bytes` bounds its JSON, `exchanges` their number; without them any fits. */
export type ContextRoom = { tokens: number; bytes?: number | undefined; exchanges?: number | undefined }

export type FittedContext<E extends ContextExchange> = {
  /** In the order of the conversation. The last one is shortened where `isCut`. */
  sent: E[]
  /** Of the exchanges before the newest one, so many go along only because they are pinned. */
  pinned: { exchanges: number; tokens: number }
  /** The newest exchanges, one after the other. */
  recent: { exchanges: number; tokens: number }
  /** Pinned exchanges for which there is no room. */
  pinnedLeftOut: number
  /** The newest exchange does not fit as a whole. */
  isCut: boolean
}

/** Of a model: the tokens that it reads and writes together, and those of them that are kept for an answer. */
export type ModelWindow = { tokens: number; answer: number }

/**
 * The window of a model of the catalogue. What the catalogue does not tell is taken for small. `answerTokens`: where a
 * chat asks for answers of a length, thinking included.
 */
export function windowOf(
  model: Pick<Model, 'contextTokens' | 'maxOutputTokens'> | undefined,
  answerTokens: number = limits.context.reservedAnswerTokens,
): ModelWindow {
  const { unknownWindowTokens } = limits.context
  const listed = model?.contextTokens ?? 0
  const tokens = listed > 0 ? listed : unknownWindowTokens
  const longest = model?.maxOutputTokens ?? 0
  // Some models could write as much as their whole window.
  const most = Math.floor(tokens / limits.context.answerShare)
  return { tokens, answer: Math.min(most, answerTokens, longest > 0 ? longest : most) }
}

/** The tokens of a window that are left for what was said before a question; 0 where not even that one fits. */
export function roomBeside({ tokens, answer }: ModelWindow, others: { agentTokens: number; question: string }): number {
  const left = tokens - answer - others.agentTokens - estimateTokensOf([{ content: others.question }])
  return Math.max(0, left - Math.ceil(left / limits.context.spareShare))
}

type Said = Pick<Message, 'mId' | 'chat_request' | 'files' | 'chat_response' | 'empty' | 'versions'> & {
  run?: Pick<NonNullable<Message['run']>, 'messageId'> | undefined
} & Pick<ContextExchange, 'isPinned'>

/** The run whose answer a message shows. */
export const shownRunOf = ({ mId, run, versions }: Pick<Said, 'mId' | 'run' | 'versions'>): string =>
  versions?.answer ?? run?.messageId ?? mId

/** The last exchanges as context, oldest first: at most `limits.chat.contextExchanges`, finished text only. */
export function contextOf(
  messages: readonly Pick<Message, 'chat_request' | 'files' | 'chat_response' | 'empty'>[],
): ContextMessage[] {
  return messages.slice(-limits.chat.contextExchanges).flatMap((message): ContextMessage[] => {
    const answer = message.empty ? '' : message.chat_response.content.trim()
    const question = questionOf(message)
    return answer === '' || question.trim() === ''
      ? []
      : [
          { role: 'user', content: question },
          { role: 'assistant', content: message.chat_response.content },
        ]
  })
}

/** What the model is asked: of a question that consists of files alone, what they are. */
export function questionOf({ chat_request, files = [] }: Pick<Message, 'chat_request' | 'files'>): string {
  if (chat_request.trim() !== '' || files.length === 0) return chat_request
  return `${filesAlone.from}${files.map(({ name }) => nameInQuestion(name)).join('”, “')}${filesAlone.to}`
}

const filesAlone = { from: 'I have added “', to: '”. Say briefly what is in there.' }

/** Whether a question is one that `questionOf` has written. */
export const isAboutFilesAlone = (question: string): boolean =>
  question.startsWith(filesAlone.from) && question.endsWith(filesAlone.to)

const mostNameLength = 100

/** Whoever named a file is not whoever asks: its name stays short, on one line and between its quotes. */
const nameInQuestion = (name: string): string => name.replace(/[\p{Cc}\u2028\u2029“”]+/gu, ' ').slice(0, mostNameLength)

/** The answered exchanges among messages, oldest first: what was not answered is never sent again. */
export function exchangesOf(messages: readonly Said[]): (ContextExchange & { mId: string; runId: string })[] {
  return messages.flatMap((message) => {
    const said = contextOf([message])
    return said.length === 0
      ? []
      : [{ mId: message.mId, runId: shownRunOf(message), messages: said, isPinned: message.isPinned === true }]
  })
}

type Around = { agentTokens: number; question: string; maxTokens?: number | undefined }

/**
 * The tokens that a prompt has for what was said before its question. `maxTokens`: of the whole prompt, where
 * somebody's money bounds it further than the window; the question itself always fits.
 */
export function contextTokens(
  window: ModelWindow,
  { agentTokens, question, maxTokens = Number.POSITIVE_INFINITY }: Around,
): number {
  const paidFor = maxTokens - agentTokens - estimateTokensOf([{ content: question }])
  return Math.min(roomBeside(window, { agentTokens, question }), Math.max(0, paidFor))
}

export const messagesOf = (exchanges: readonly ContextExchange[]): ContextMessage[] =>
  exchanges.flatMap(({ messages }) => messages)

/**
 * What of a path fits: pinned exchanges first, then from the newest one back without a gap. The newest exchange goes
 * along always, shortened where it must be: a part of the room is kept for it.
 */
export function fitContext<E extends ContextExchange>(path: readonly E[], room: ContextRoom): FittedContext<E> {
  const last = path.length - 1
  const newest = path[last]
  if (!newest) return nothing
  const sizes = new Map<number, Size>()
  const sizeAt = (index: number): Size => {
    const known = sizes.get(index)
    if (known) return known
    const size = sizeOfExchange(path[index])
    sizes.set(index, size)
    return size
  }
  let left = whole(room)
  const sent = new Set<number>()
  const takeIfFits = (index: number): boolean => {
    const size = sizeAt(index)
    if (!fits(size, left)) return false
    left = minus(left, size)
    sent.add(index)
    return true
  }

  const kept = smaller(sizeAt(last), part(left))
  left = minus(left, kept)
  let pinnedLeftOut = 0
  for (let index = last - 1; index >= 0; index--) if (path[index]?.isPinned && !takeIfFits(index)) pinnedLeftOut++
  left = plus(left, kept)
  const shortened = takeIfFits(last) ? undefined : shortenedTo(newest, left)
  let first = last
  if (!shortened) while (first > 0 && (sent.has(first - 1) || takeIfFits(first - 1))) first--

  const indices = [...sent].sort((one, other) => one - other)
  const before = indices.filter((index) => index < first)
  const recent = indices.filter((index) => index >= first)
  const tokensOf = (some: readonly number[]): number => some.reduce((sum, index) => sum + sizeAt(index).tokens, 0)
  const cut = shortened && shortened.messages.length > 0 ? [shortened] : []
  return {
    sent: [...indices.flatMap((index) => path[index] ?? []), ...cut],
    pinned: { exchanges: before.length, tokens: tokensOf(before) },
    recent: {
      exchanges: recent.length + cut.length,
      tokens: tokensOf(recent) + cut.reduce((sum, { messages }) => sum + estimateTokensOf(messages), 0),
    },
    pinnedLeftOut,
    isCut: shortened !== undefined,
  }
}

const nothing = {
  sent: [],
  pinned: { exchanges: 0, tokens: 0 },
  recent: { exchanges: 0, tokens: 0 },
  pinnedLeftOut: 0,
  isCut: false,
}

type Size = { tokens: number; bytes: number; exchanges: number; isTooLong: boolean }
type Room = Omit<Size, 'isTooLong'>

const encoder = new TextEncoder()

/** How long messages are. It encodes them, so its result is kept where it is needed again. */
export function contextSizeOf(messages: readonly ContextMessage[]): ContextSize {
  const { tokens, bytes } = sizeOf(messages)
  return { tokens, bytes }
}

function sizeOfExchange(exchange: ContextExchange | undefined): Size {
  const size = exchange?.size
  if (!size) return sizeOf(exchange?.messages ?? [])
  const isTooLong = exchange.messages.some(({ content }) => content.length > limits.context.maxLength)
  return { ...size, exchanges: 1, isTooLong }
}

function sizeOf(messages: readonly ContextMessage[]): Size {
  return {
    tokens: estimateTokensOf(messages),
    bytes: messages.reduce((sum, message) => sum + encoder.encode(JSON.stringify(message)).length + 1, 0),
    exchanges: 1,
    isTooLong: messages.some(({ content }) => content.length > limits.context.maxLength),
  }
}

const whole = ({ tokens, bytes, exchanges }: ContextRoom): Room => ({
  tokens,
  bytes: bytes ?? Number.POSITIVE_INFINITY,
  exchanges: exchanges ?? Number.POSITIVE_INFINITY,
})
const fits = (size: Size, left: Room): boolean =>
  !size.isTooLong && size.tokens <= left.tokens && size.bytes <= left.bytes && size.exchanges <= left.exchanges
const minus = (left: Room, size: Room): Room => ({
  tokens: left.tokens - size.tokens,
  bytes: left.bytes - size.bytes,
  exchanges: left.exchanges - size.exchanges,
})
const plus = (left: Room, size: Room): Room => ({
  tokens: left.tokens + size.tokens,
  bytes: left.bytes + size.bytes,
  exchanges: left.exchanges + size.exchanges,
})
const smaller = (one: Room, other: Room): Room => ({
  tokens: Math.min(one.tokens, other.tokens),
  bytes: Math.min(one.bytes, other.bytes),
  exchanges: Math.min(one.exchanges, other.exchanges),
})

/** What is kept for the newest exchange. */
const part = ({ tokens, bytes, exchanges }: Room): Room => ({
  tokens: Math.floor(tokens / limits.context.newestShare),
  bytes: Math.floor(bytes / limits.context.newestShare),
  exchanges: Math.min(1, exchanges),
})

/** Says to the model that a part of a text is missing. */
const cutNotice = '\n\n[… A part of this message is left out here, because it is too long. …]\n\n'
/** In less, no word would be left beside the notice. */
const leastCutTokens = 64

/** An exchange within a room that is too small for it; without messages where nothing of it fits. */
function shortenedTo<E extends ContextExchange>(exchange: E, room: Room): E {
  const messages: ContextMessage[] = []
  let left = room
  for (const [index, message] of exchange.messages.entries()) {
    const isLast = index === exchange.messages.length - 1
    // Of a question and its answer, either may be the long one.
    const share = isLast ? left : { ...left, tokens: Math.floor(left.tokens / 2), bytes: Math.floor(left.bytes / 2) }
    const fitting = fits({ ...sizeOf([message]) }, share) ? message : shortenedMessage(message, share)
    if (!fitting) return { ...exchange, messages: [] }
    left = minus(left, { ...sizeOf([fitting]), exchanges: 0 })
    messages.push(fitting)
  }
  return { ...exchange, messages }
}

/** The beginning and, longer, the end of a message; undefined where the room is too small for any of it. */
function shortenedMessage({ role, content }: ContextMessage, room: Room): ContextMessage | undefined {
  if (room.tokens < leastCutTokens) return undefined
  let length = Math.min(content.length, limits.context.maxLength - cutNotice.length)
  for (;;) {
    const shortened = { role, content: endsOf(content, length) }
    const size = sizeOf([shortened])
    if (fits(size, room)) return shortened
    if (length < 1) return undefined
    // By how much it is too long, and a little more: some characters take more bytes than others.
    const ratio = Math.min(room.tokens / size.tokens, room.bytes / size.bytes, 1)
    length = Math.floor(length * Math.min(ratio, 0.98))
  }
}

function endsOf(content: string, length: number): string {
  const head = Math.floor(length / 3)
  const tail = content.length - (length - head)
  // Half of a surrogate pair is no character.
  const [end, start] = [isHalf(content, head) ? head - 1 : head, isHalf(content, tail) ? tail + 1 : tail]
  return `${content.slice(0, end)}${cutNotice}${content.slice(start)}`
}

/** Whether a position is between the two units of one character. */
function isHalf(content: string, at: number): boolean {
  const unit = content.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
