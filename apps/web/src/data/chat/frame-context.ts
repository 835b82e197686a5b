import type { CreateChatMessage } from '@parley/contract/chat'
import { type ModelWindow, messagesOf, roomBeside } from '@parley/contract/context'
import { fitBeside } from '@parley/contract/context-summary'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { estimateTokensOf } from '@parley/contract/token-estimate'
import type { PathExchange, SaidBefore } from './path-before'

type ContextFields = Pick<CreateChatMessage, 'lastMessages' | 'earlierMessages' | 'pinned'>
type Request = Omit<CreateChatMessage, keyof ContextFields | 'summary'>

/**
 * The question with what goes along of a chat of this device: the last exchanges, and of what lies before them as much
 * as fits the frame and the model's window, where that is known, beside the sources. Throws chat.too-large for a
 * question that alone is too long for a frame.
 */
export function withContext(
  request: Request,
  { path, summary }: SaidBefore,
  window: ModelWindow | undefined,
  sourceTokens = 0,
): CreateChatMessage {
  const body = { ...request, ...(summary === undefined ? {} : { summary }) }
  const bytes = limits.chat.maxFrameBytes - sizeOf({ ...body, lastMessages: [] }) - fieldBytes(path)
  if (bytes < -fieldBytes(path)) throw new AppError('chat.too-large')
  const { sent } = fitBeside(path, summary, {
    tokens: window
      ? roomBeside(window, { agentTokens: instructionTokens(body) + sourceTokens, question: body.question })
      : Number.POSITIVE_INFINITY,
    bytes,
    exchanges: (limits.context.maxEarlierMessages + limits.chat.maxContextMessages) / 2,
  })
  const last = path.slice(-limits.chat.contextExchanges)
  const isLast = new Set(last.map(({ mId }) => mId))
  const earlier = sent.filter(({ mId }) => !isLast.has(mId))
  // The server leaves out what is too much for the model: the last exchanges go along whole, if only the frame has
  // room.
  const whole = { ...body, ...fieldsOf(earlier, last) }
  if (sizeOf(whole) <= limits.chat.maxFrameBytes && last.every(isShortEnough)) return whole
  return {
    ...body,
    ...fieldsOf(
      earlier,
      sent.filter(({ mId }) => isLast.has(mId)),
    ),
  }
}

/** The server adds them to the system's part, of which nothing else is known here. */
const instructionTokens = ({ settings }: Pick<CreateChatMessage, 'settings'>): number =>
  settings?.instructions === undefined ? 0 : estimateTokensOf([{ content: settings.instructions }])

function fieldsOf(earlier: readonly PathExchange[], last: readonly PathExchange[]): ContextFields {
  let position = 0
  const pinned: number[] = []
  for (const { messages, isPinned } of [...earlier, ...last]) {
    if (isPinned) pinned.push(position)
    position += messages.length
  }
  return {
    lastMessages: messagesOf(last),
    ...(earlier.length === 0 ? {} : { earlierMessages: messagesOf(earlier) }),
    ...(pinned.length === 0 ? {} : { pinned }),
  }
}

const isShortEnough = ({ messages }: PathExchange): boolean =>
  messages.every(({ content }) => content.length <= limits.context.maxLength)

const encoder = new TextEncoder()
const sizeOf = (body: CreateChatMessage): number =>
  encoder.encode(JSON.stringify({ route: 'createChatMessage', body })).length

/** For the names of the fields, and at most five bytes for each pinned position. */
const fieldBytes = (path: readonly PathExchange[]): number => 64 + 6 * path.filter(({ isPinned }) => isPinned).length
