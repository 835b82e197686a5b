import * as z from 'zod/mini'
import { MessageStatus, Usage } from './chat'
import { limits } from './limits/shared'
import { Part } from './parts'

/**
 * A conversation is a tree: an exchange follows a run, and each answer to its question is a run. What people read is
 * the path from the first exchange to the channel's head, which is a run. An edited question is another exchange after
 * the same run; a regenerated answer is another run of the same exchange: no version takes the place of another.
 */

/** Of an exchange or a run. Those of before version 7 UUIDs are any text, and a run may be `{mId}:before`. */
const Id = z.string().check(z.minLength(1), z.maxLength(220))

/** A question, and where it stands. Question and author never change. On the wire its id is called `mId`. */
export const Exchange = z.object({
  id: Id,
  channelId: Id,
  /** The run that it follows; null: it begins the conversation. */
  afterRunId: z.nullable(Id),
  question: z.array(Part),
  /** Who asked, where it was not the one who reads. `id` is missing where the account is gone or is elsewhere. */
  author: z.optional(z.object({ id: z.optional(z.string()), name: z.string() })),
  /** ISO 8601 UTC. */
  askedAt: z.string(),
  /** It is part of the context of every later question. */
  isPinned: z.optional(z.literal(true)),
  /** It was asked in another channel first. */
  isForwarded: z.optional(z.literal(true)),
  /** A tombstone: its parts are erased, what follows it stays where it is. ISO 8601 UTC. */
  removedAt: z.optional(z.string()),
})
export type Exchange = z.infer<typeof Exchange>

/** An answer. It changes while it is written and never after its end. On the wire its id is called `messageId`. */
export const Run = z.object({
  id: Id,
  channelId: Id,
  exchangeId: Id,
  answer: z.array(Part),
  status: MessageStatus,
  /** The gateway answered nothing: the answer is the apology, and nothing is charged. */
  isEmpty: z.optional(z.literal(true)),
  error: z.optional(z.object({ code: z.string(), content: z.string() })),
  model: z.optional(z.string()),
  agentId: z.optional(z.nullable(z.string())),
  usage: z.optional(Usage),
  finishReason: z.optional(z.string()),
  /** ISO 8601 UTC. */
  startedAt: z.string(),
  /** From the question to the last character of the answer. */
  durationMs: z.optional(z.number()),
  /** The run whose answer this one goes on with: on screen they are one answer. */
  continues: z.optional(Id),
  /** What the model was asked, where it is not the exchange's question. */
  prompt: z.optional(z.string()),
  /** The last frame of the answer that is in `answer`, while it is written. */
  seq: z.optional(z.number()),
  /** A tombstone: its parts are erased. ISO 8601 UTC. */
  removedAt: z.optional(z.string()),
})
export type Run = z.infer<typeof Run>

/** Stands for the exchanges of a path up to a run, where they no longer fit the model's window. */
export const Summary = z.object({
  id: Id,
  channelId: Id,
  /** It counts only where the path goes through this run. */
  upToRunId: Id,
  /** The exchange of that run: the summary goes with it. */
  exchangeId: Id,
  text: z.string().check(z.maxLength(limits.context.maxSummaryLength)),
  /** How many messages it stands for: questions and answers. */
  messages: z.number(),
  /** The text is not the model's any more. */
  editedByPerson: z.boolean(),
  /** It is kept, and not sent. */
  isUndone: z.optional(z.literal(true)),
  /** Whole nano-dollars as a decimal string: what the person was charged. */
  cost: z.optional(z.string()),
})
export type Summary = z.infer<typeof Summary>
