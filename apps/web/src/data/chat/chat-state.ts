// What the chat of one person's session knows, what happens to it, and what it has done about that.
import type { ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import type { OutboxEntry } from '../channels/outbox'
import type { Answer, AnswerEnd } from './apply-frame'
import type { AskEffect, AskEvent, AskState } from './ask'
import type { ChatNotice } from './chat-notices'
import type { LiveAnswer } from './live-chat'

/**
 * leasing: another tab may hold the run. receiving: its question is sent, and frames are awaited. checking: the text is
 * compared with the server's digest. returning: a refused question goes back to the draft. storing: the final message
 * is written. unsaved: it could not be, and only this page has it; the lease is left.
 */
type RunPhase = 'leasing' | 'receiving' | 'checking' | 'returning' | 'storing' | 'unsaved'

/** An unfinished run that this tab receives, or is about to. */
export type RunState = {
  entry: OutboxEntry
  phase: RunPhase
  /** It was found as an orphaned run of another tab or page. */
  isLeft: boolean
  isStopRequested: boolean
  /** Its channel was deleted or cleared while the lease was awaited. */
  isAbandoned: boolean
  /** From the lease on. */
  receiving: Receiving | undefined
  /** What is to be stored. */
  final: Final | undefined
}

export type Receiving = {
  /** As it was when this tab began to receive. */
  message: Message
  answer: Answer
  isAccepted: boolean
  /** Its text differed from the digest, and was fetched again. */
  isChecked: boolean
  /** Reconnecting failed. */
  isPaused: boolean
  isSaveScheduled: boolean
}

/** `notice`: what the person is told once it is stored. */
export type Final = { message: Message; notice: ChatNotice | undefined }

export type ChatState = {
  runs: Readonly<Record<string, RunState>>
  /** Stops that could not be sent: their runs may be gone by the time of the next connection. */
  pendingStops: readonly string[]
  /** What was asked, and is not stored yet. They outlast the session: each is stored or failed. */
  asks: Readonly<Record<string, AskState>>
  /** A repetition of it is refused for a moment. `at`: milliseconds. */
  lastQuestion: { channelId: string; text: string; at: number } | undefined
  isDisposed: boolean
}

export const emptyChat: ChatState = {
  ...{ runs: {}, pendingStops: [], asks: {}, lastQuestion: undefined, isDisposed: false },
}

export type ChatEvent =
  | AskEvent
  /** An unfinished exchange was found: just asked by this page, or left by another tab or page. */
  | { type: 'asked'; entry: OutboxEntry; isLeft: boolean }
  /** This tab has the lease. `message`: undefined where another tab has finished the run. */
  | { type: 'leased'; messageId: string; message: Message | undefined }
  | { type: 'lease-failed'; messageId: string }
  | { type: 'connected' }
  | { type: 'lost' }
  | { type: 'frame'; messageId: string; frame: ServerFrame }
  /** No acknowledgement has come. */
  | { type: 'ask-again'; messageId: string }
  | { type: 'save'; messageId: string }
  | { type: 'page-hidden' }
  | { type: 'checked'; messageId: string; isWhole: boolean }
  | { type: 'returned'; messageId: string; isReturned: boolean }
  | { type: 'stored'; messageId: string }
  | { type: 'store-failed'; messageId: string; error: unknown; isChannelGone: boolean }
  /** `isOnline`: a frame can be sent now. */
  | { type: 'stop'; messageId: string; isOnline: boolean }
  | { type: 'abandon'; messageId: string }
  | { type: 'dispose' }

export type Effect =
  | AskEffect
  | { type: 'take-lease'; entry: OutboxEntry; isEnded: boolean }
  | { type: 'leave-lease'; messageId: string }
  | { type: 'connect' }
  | { type: 'send'; frame: ClientFrame }
  | { type: 'await-acceptance'; messageId: string }
  | { type: 'accepted'; messageId: string }
  | { type: 'schedule-save'; messageId: string }
  | { type: 'save-partial'; messageId: string; message: Message }
  | { type: 'check'; messageId: string; text: string; end: Exclude<AnswerEnd, { kind: 'failed' }> }
  | { type: 'return-question'; entry: OutboxEntry; message: Message; code: string; content: string }
  /** Stores the final message and takes its entry off the list. */
  | { type: 'store'; entry: OutboxEntry; message: Message }
  /** The channel is gone: the entry is taken off the list. */
  | { type: 'forget'; messageId: string }
  | { type: 'store-later' }
  | { type: 'show'; answer: LiveAnswer }
  | { type: 'hide'; mId: string; messageId: string; isHandedOver: boolean }
  | { type: 'notify'; notice: ChatNotice }
  | { type: 'suggest-name'; channelId: string; name: string }

export type Step = { state: ChatState; effects: Effect[] }
