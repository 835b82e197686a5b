// What a person asks of the chat: each is an event of its steps, and has an outcome.
import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { FilePart } from '@parley/contract/parts'
import type { OutboxEntry } from '../channels/outbox'
import type { MessageContext } from './message-context'
import type { PathExchange } from './path-before'

/**
 * question: typed at the end of what is shown, in a new channel without an id. queued: the next one of a queue, whose
 * lock is held by whoever asks. edit: another text beside a question. again: another answer to a question. continue:
 * the rest of an answer. `id`: of the message, or of the run, that it makes; asked twice, it is one.
 */
export type Ask = { id: string } & (
  | {
      kind: 'question'
      channelId: string | undefined
      text: string
      files: readonly FilePart[]
      /** The home of a new channel, unless it is a temporary one. */
      mode: StorageMode
      isTemporary: boolean
    }
  | { kind: 'queued'; channelId: string; text: string; files: readonly FilePart[] }
  | { kind: 'edit'; channelId: string; mId: string; text: string }
  | { kind: 'again'; channelId: string; mId: string; modelId: string | undefined; isLost: boolean }
  /** `isLost`: its answer waits for the connection, as the person sees it. `prompt`: in the person's language. */
  | { kind: 'continue'; channelId: string; mId: string; prompt: string; isLost: boolean }
)

/** What is read for it. */
export type Found =
  | {
      kind: 'channel'
      channel: Channel
      isNew: boolean
      files: readonly FilePart[]
      /** What was said before it, in a chat of this device. */
      path: readonly PathExchange[]
      /** The run that it follows; without it the reader's head. */
      afterRunId?: string | null | undefined
    }
  /** `isBranchable`: a version beside the message may be made where the chat is. */
  | ({ kind: 'message'; isBranchable: boolean } & MessageContext)

/** What is stored, and then sent. `modelId`: of the model that is to answer; undefined asks for the chosen one. */
export type NewRun = {
  message: Message
  channel: Channel
  question: string
  path: readonly PathExchange[]
  suggestName: boolean
  modelId?: string | undefined
}

/** refused: nothing was changed. stored: the question waits for its answer, whatever becomes of this page. */
export type AskOutcome =
  | { kind: 'refused' }
  | { kind: 'stored'; channelId: string; mId: string; isNewChannel: boolean }
  | { kind: 'failed'; error: unknown }

/**
 * admission: credits are looked at. room: this person's answers in the channel are stopped, and what waits there is
 * held. finding: its channel or message is read. dropping: the run that waits for the connection is abandoned. storing:
 * its outbox entry and its message are written.
 */
export type AskPhase = 'admission' | 'room' | 'finding' | 'dropping' | 'storing'

/** `run`, `newChannel`: from the finding on. */
export type AskState = { ask: Ask; phase: AskPhase; run: NewRun | undefined; newChannel: Channel | undefined }

export type AskEvent =
  /** `at`: in milliseconds, like all of them. */
  | { type: 'ask'; ask: Ask; at: number }
  | { type: 'admitted'; id: string; isAdmitted: boolean }
  /** What waits in the channel is held. `running`: this person's answers in it, in whichever tab. */
  | { type: 'room-taken'; id: string; running: readonly { messageId: string; isLost: boolean }[]; isOnline: boolean }
  | { type: 'answers-ended'; id: string }
  | { type: 'found'; id: string; found: Found; at: number }
  | { type: 'dropped'; id: string }
  | { type: 'question-stored'; id: string; entry: OutboxEntry; at: number }
  /** Whatever was being done for it could not be. */
  | { type: 'ask-failed'; id: string; error: unknown }

export type AskEffect =
  /** Another question of its channel is being edited: what is shown now is what it follows. */
  | { type: 'note-shown'; id: string; channelId: string }
  | { type: 'admit'; id: string }
  | { type: 'take-room'; id: string; channelId: string }
  | { type: 'await-ends'; id: string; messageIds: readonly string[] }
  | { type: 'leave-room'; id: string }
  | { type: 'find'; ask: Ask }
  | { type: 'drop-answers'; id: string; channelId: string; mId: string }
  | { type: 'store-question'; id: string; run: NewRun }
  | { type: 'note-asked'; channelId: string; mId: string }
  /** Its person has left: the chat of the next one looks after its run. */
  | { type: 'hand-over'; entry: OutboxEntry }
  /** Whoever asked is told. `newChannel`: was made for nothing, and is removed. */
  | { type: 'answer-ask'; id: string; outcome: AskOutcome; newChannel: Channel | undefined }
