import * as z from 'zod/mini'
import { ChannelChange } from './channel-change'
import { ChatSettings } from './chat-settings'
import { limits } from './limits/shared'
import { FilePart, SourcePart } from './parts'
import { SentPicture } from './sent-pictures'
import { changedSource } from './source-progress'

/** UUID of any version; the product makes version 7, which sorts by time. */
export const Uuid = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i))

/** queued: in the outbox. sent: on its way. streaming: accepted and being written. The rest is final. */
export const MessageStatus = z.enum(['queued', 'sent', 'streaming', 'completed', 'stopped', 'interrupted', 'failed'])
export type MessageStatus = z.infer<typeof MessageStatus>

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /**
   * Whole nano-dollars as a decimal string: what the person was charged; where nothing is charged, what the gateway
   * reports.
   */
  cost: z.optional(z.string()),
})
export type Usage = z.infer<typeof Usage>

/** Any number of them can be added up; imported messages bring numbers of any kind. */
export const mostReasoningMs = 1e12

/** What the model thought while it answered, and for how long. It is no part of the answer's text. */
export const Reasoning = z.object({
  text: z.string(),
  ms: z.int().check(z.nonnegative(), z.maximum(mostReasoningMs)),
})
export type Reasoning = z.infer<typeof Reasoning>

/** What an answer has beside its text: what the model was given of the channel's sources, and what the text cites. */
const sourceFields = {
  read: z.optional(z.array(FilePart)),
  sources: z.optional(z.array(SourcePart)),
}

const answerFields = {
  chat_response: z.object({ role: z.literal('assistant'), content: z.string() }),
  status: MessageStatus,
  /** The gateway answered nothing: content is the apology, nothing is charged, Resend is offered. */
  empty: z.optional(z.boolean()),
  error: z.optional(z.object({ code: z.string(), content: z.string() })),
  model: z.optional(z.string()),
  assistantId: z.optional(z.nullable(z.string())),
  usage: z.optional(Usage),
  finishReason: z.optional(z.string()),
  /** From the question to the last character of the answer. */
  durationMs: z.optional(z.number()),
  reasoning: z.optional(Reasoning),
  ...sourceFields,
}

/** Of an exchange, all that another run changes. */
export const Answer = z.object(answerFields)
export type Answer = z.infer<typeof Answer>

/** One exchange: a question and its answer. */
export const Message = z.object({
  /** Identifies the exchange for ever, in stores and on screen. */
  mId: z.string().check(z.minLength(1), z.maxLength(200)),
  channelId: z.string(),
  /** Empty where the question consists of files alone. */
  chat_request: z.string(),
  /** What was added with the question. */
  files: z.optional(z.array(FilePart)),
  ...answerFields,
  /** When the question was asked, ISO 8601 UTC. */
  datetime: z.string(),
  /** The run on the wire that writes, or wrote, the answer. Resend and Continue start a new run under the same mId. */
  run: z.optional(
    z.object({
      messageId: Uuid,
      /** The highest `seq` whose effect is in the content. */
      seq: z.number(),
      /** The content that stood before this run (Continue), as a length in UTF-16 units; this run's text follows it. */
      base: z.number(),
      /** What the server was asked, when it is not chat_request (Continue). */
      question: z.optional(z.string()),
      /** What the runs used that wrote the content before (Continue); `usage` is all of it. */
      used: z.optional(Usage),
      /** What the runs thought that wrote the content before (Continue); `reasoning` begins with it. */
      thought: z.optional(Reasoning),
      /** What the model was given for the content before (Continue), and what that cites; likewise. */
      ...sourceFields,
      /**
       * The answer that stood before this run, while nothing of a new one has come: it comes back when nothing does.
       */
      previous: z.optional(Answer),
    }),
  ),
  /**
   * Who asked, where it was not the one who reads: in shared channels. `id` is missing where the account is gone or the
   * message came from elsewhere.
   */
  author: z.optional(z.object({ id: z.optional(z.string()), name: z.string() })),
  /** It was said in another channel first. */
  forwarded: z.optional(z.boolean()),
  /**
   * The run that the exchange follows; null begins the conversation. Where a new exchange is put without it, it follows
   * the reader's head.
   */
  afterRunId: z.optional(z.nullable(z.string())),
  /** It goes along with every later question. Only a store answers it. */
  isPinned: z.optional(z.literal(true)),
  /** What else stands in the place of this one, oldest first; it is among them. Only a store answers it. */
  versions: z.optional(
    z.object({
      /** The ids of the exchanges that follow the same run; absent where this is the only one. */
      questions: z.optional(z.array(z.string())),
      /** The runs that answer this question; absent where there is only one. */
      answers: z.optional(z.array(z.string())),
      /** The one of `answers` that is shown. */
      answer: z.optional(z.string()),
    }),
  ),
})
export type Message = z.infer<typeof Message>

/** Nothing more is written to it. */
export function isOver({ status }: Pick<Message, 'status'>): boolean {
  return status === 'completed' || status === 'stopped' || status === 'interrupted' || status === 'failed'
}

export const ContextMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string().check(z.maxLength(limits.context.maxLength)),
})
export type ContextMessage = z.infer<typeof ContextMessage>

/** An agent whose id begins so lives on the chain, and is named as `suiAssistantId`. */
export const isChainAgent = (id: string): boolean => id.startsWith('0x')

/** Of a channel with an active source. */
export const attachmentPrefix = 'document'

const createChatMessage = z.object({
  /** Empty where files alone are asked about. */
  question: z.string().check(z.maxLength(limits.chat.maxQuestionLength)),
  assistantId: z.optional(z.nullable(z.string())),
  suiAssistantId: z.optional(z.nullable(z.string())),
  channelId: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Made by the client, once for each request for an answer: the same id never starts a second answer. */
  messageId: Uuid,
  isAudioMessage: z.optional(z.boolean()),
  enableWebSearch: z.optional(z.boolean()),
  userLanguage: z.optional(z.string().check(z.maxLength(20))),
  profileImage: z.optional(z.nullable(z.string())),
  model: z.optional(z.string().check(z.maxLength(200))),
  /** The prefix is `attachmentPrefix` where the channel has an active source. */
  typeChat: z.optional(z.object({ prefix: z.optional(z.string().check(z.maxLength(20))) })),
  /** What was added with the question. */
  files: z.optional(z.array(FilePart).check(z.maxLength(limits.sources.maxPerChannel))),
  /** Local channels: `SentSources`. What is wrong with it is told as `source.sent-invalid`. */
  compressedDocuments: z.optional(z.string()),
  /** Local channels: for models that see pictures; each belongs to a source of `compressedDocuments`. */
  pictures: z.optional(z.array(SentPicture).check(z.maxLength(limits.sources.maxSentPictures))),
  lastMessages: z.array(ContextMessage).check(z.maxLength(limits.chat.maxContextMessages)),
  /** Local channels: what of the conversation goes along that was said before `lastMessages`. */
  earlierMessages: z.optional(z.array(ContextMessage).check(z.maxLength(limits.context.maxEarlierMessages))),
  /** Local channels: stands for what was said before all of those. */
  summary: z.optional(z.string().check(z.maxLength(limits.context.maxSummaryLength))),
  /**
   * Local channels: the pinned questions, by their positions in `earlierMessages` followed by `lastMessages`: where not
   * all fits, they go along before others.
   */
  pinned: z.optional(
    z
      .array(z.int().check(z.nonnegative()))
      .check(z.maxLength(limits.context.maxEarlierMessages + limits.chat.maxContextMessages)),
  ),
  storageMode: z.enum(['local', 'cloud']),
  /** Local channels: how the answer is asked for. The server reads those of a cloud channel itself. */
  settings: z.optional(ChatSettings),
  /**
   * Cloud channels: the exchange whose answer is written anew; without it the question begins a new one, whose id is
   * the messageId.
   */
  mId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /**
   * Cloud channels, without mId: the run that the new exchange follows, null to begin the conversation anew; without it
   * the head of whoever asks.
   */
  afterRunId: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(220)))),
  /** Cloud channels, with mId: the answer goes on after what stands, instead of anew. */
  isContinuation: z.optional(z.boolean()),
  /** The channel still has its default name: the server may propose another. */
  suggestName: z.optional(z.boolean()),
})
export const CreateChatMessage = createChatMessage.check(z.refine(asksSomething, 'Nothing is asked'))
export type CreateChatMessage = z.infer<typeof CreateChatMessage>

function asksSomething({ question, files = [], compressedDocuments }: z.infer<typeof createChatMessage>): boolean {
  return question !== '' || files.length > 0 || compressedDocuments !== undefined
}

/** Client to server. */
export const ClientFrame = z.union([
  z.object({ route: z.literal('createChatMessage'), body: CreateChatMessage }),
  z.object({ event: z.literal('stop-message'), messageId: Uuid }),
  z.object({ event: z.literal('resume'), messageId: Uuid, afterSeq: z.int().check(z.nonnegative()) }),
  z.object({ event: z.literal('ping') }),
  z.object({ event: z.literal('pong') }),
])
export type ClientFrame = z.infer<typeof ClientFrame>

/** What `end` and `stopped` carry: the answer as the server has it. */
export const AnswerMessage = z.object({
  mId: z.string(),
  chat_response: z.object({ role: z.literal('assistant'), content: z.string() }),
  empty: z.optional(z.boolean()),
  model: z.optional(z.string()),
  usage: z.optional(Usage),
  finishReason: z.optional(z.string()),
  durationMs: z.optional(z.number()),
  reasoning: z.optional(Reasoning),
  ...sourceFields,
})
export type AnswerMessage = z.infer<typeof AnswerMessage>

// Frames of an answer carry its id and a `seq` that grows by one per answer, so that a reader can tell a gap or a
// repetition.
const ofAnswer = { messageId: Uuid, mId: z.string(), seq: z.int() }
/**
 * Length (UTF-16 units) and SHA-256 (hex, of UTF-8) of the answer's text: on a difference the client asks for it again.
 */
const digest = { length: z.int(), sha256: z.string() }

/** Server to client. */
export const ServerFrame = z.discriminatedUnion('event', [
  z.object({ event: z.literal('accepted'), ...ofAnswer, model: z.optional(z.string()) }),
  z.object({ event: z.literal('status'), ...ofAnswer, content: z.string() }),
  /** The added text; with `flagImage` the address of a picture on this server. */
  z.object({ event: z.literal('content'), ...ofAnswer, content: z.string(), flagImage: z.optional(z.literal(true)) }),
  /**
   * What the model has added to its thinking; `ms`: how long it has thought for this answer so far. Sent to sockets
   * that name it in `frames`; others get a `status` in its place.
   */
  z.object({ event: z.literal('reasoning'), ...ofAnswer, content: z.string(), ms: Reasoning.shape.ms }),
  /** What the model was given of a source. A later one for the same `fileId` takes the place of an earlier one. */
  z.object({ event: z.literal('file'), ...ofAnswer, part: FilePart }),
  /** What the text so far cites, once for each number. */
  z.object({ event: z.literal('source'), ...ofAnswer, part: SourcePart }),
  /** The whole text and thinking so far, and what it was given and cites; `seq` is the last frame it includes. */
  z.object({
    event: z.literal('snapshot'),
    ...ofAnswer,
    content: z.string(),
    reasoning: z.optional(Reasoning),
    ...sourceFields,
  }),
  z.object({ event: z.literal('saving-chat'), ...ofAnswer }),
  z.object({ event: z.literal('end'), ...ofAnswer, message: AnswerMessage, ...digest }),
  z.object({ event: z.literal('stopped'), ...ofAnswer, message: AnswerMessage, ...digest }),
  z.object({ event: z.literal('suggestion-channel-name'), ...ofAnswer, channelId: z.string(), content: z.string() }),
  z.object({ event: z.literal('credits-updated'), content: z.number() }),
  z.object({
    event: z.literal('no-credits'),
    messageId: z.optional(Uuid),
    mId: z.optional(z.string()),
    seq: z.optional(z.int()),
    content: z.string(),
  }),
  z.object({ event: z.literal('broadcast'), id: z.string(), content: z.string() }),
  z.object({
    event: z.literal('error'),
    messageId: z.optional(Uuid),
    mId: z.optional(z.string()),
    seq: z.optional(z.int()),
    code: z.string(),
    content: z.string(),
    /** Seconds until it may be tried again, where a limit refused it. */
    retryAfter: z.optional(z.int()),
    /** Of an answer that broke off after its first word. */
    usage: z.optional(Usage),
  }),
  z.object({ event: z.literal('error-openrouter'), ...ofAnswer, code: z.string(), content: z.string() }),
  /**
   * An answer is being written in a channel that this person is in, to whoever asked: it can be followed by `resume`.
   */
  z.object({ event: z.literal('answer-begun'), channelId: z.string(), messageId: Uuid, mId: z.string() }),
  /** Somebody else was answered in a channel that this person shares, or changed the channel. */
  z.object({ event: z.literal('channel-changed'), channelId: z.string(), change: ChannelChange }),
  /** Somebody else received or read messages of a channel that this person shares. */
  z.object({ event: z.literal('receipts-changed'), channelId: z.string() }),
  /** A source of a cloud channel that this person is in was added, removed, switched, or is read further. */
  z.object({ event: z.literal('source-changed'), channelId: z.string(), ...changedSource }),
  /** This person is in the channel no longer. */
  z.object({ event: z.literal('channel-left'), channelId: z.string() }),
  z.object({ event: z.literal('ping') }),
  z.object({ event: z.literal('pong') }),
])
export type ServerFrame = z.infer<typeof ServerFrame>
