import { Reasoning, type ServerFrame } from '@parley/contract/chat'
import { finalEvents } from '@parley/contract/chat-protocol'
import * as z from 'zod/mini'

type Omitted<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type AnswerEvent =
  | 'accepted'
  | 'status'
  | 'content'
  | 'reasoning'
  | 'snapshot'
  | 'saving-chat'
  | 'end'
  | 'stopped'
  | 'suggestion-channel-name'
  | 'error'
  | 'error-openrouter'

/** A frame without `messageId`, `mId` and `seq`, which are added when it is written to the stream log. */
export type FrameDraft = Omitted<Extract<ServerFrame, { event: AnswerEvent }>, 'messageId' | 'mId' | 'seq'>

export type FinalDraft = Extract<FrameDraft, { event: 'end' | 'stopped' | 'error' | 'error-openrouter' }>

export function isFinal(draft: FrameDraft): draft is FinalDraft {
  return (
    draft.event === 'end' || draft.event === 'stopped' || draft.event === 'error' || draft.event === 'error-openrouter'
  )
}

const NumberedFrame = z.object({ messageId: z.string(), mId: z.string(), seq: z.int() })
const FrameEvent = z.object({ event: z.string() })
const ShownFrame = z.discriminatedUnion('event', [
  z.object({ event: z.literal('content'), content: z.string() }),
  z.object({ event: z.literal('reasoning'), content: z.string(), ms: z.number() }),
  z.object({ event: z.literal('snapshot'), content: z.string(), reasoning: z.optional(Reasoning) }),
])

/** What readers of an answer were shown, and the last `seq` that it includes. */
export type ShownAnswer = { text: string; reasoning: Reasoning | undefined; seq: number }

/** `frame` is an encoded frame of the stream log. */
export function isFinalFrame(frame: string): boolean {
  const { event } = z.parse(FrameEvent, JSON.parse(frame))
  return finalEvents.some((final) => final === event)
}

/** What the frames of a stream log show; undefined where frames are missing. */
export function shownAnswer(entries: readonly { seq: number; frame: string }[]): ShownAnswer | undefined {
  let shown: ShownAnswer = { text: '', reasoning: undefined, seq: 0 }
  for (const { seq, frame } of entries) {
    const { data } = z.safeParse(ShownFrame, JSON.parse(frame))
    if (data?.event !== 'snapshot' && seq !== shown.seq + 1) return undefined
    shown = { ...shown, seq }
    if (data?.event === 'snapshot') shown = { text: data.content, reasoning: data.reasoning, seq }
    if (data?.event === 'content') shown.text += data.content
    if (data?.event === 'reasoning') shown.reasoning = withThinking(shown.reasoning, data)
  }
  return shown.seq === 0 ? undefined : shown
}

/** The thinking of an answer after a further frame of it. */
export function withThinking(before: Reasoning | undefined, added: { content: string; ms: number }): Reasoning {
  return { text: (before?.text ?? '') + added.content, ms: added.ms }
}

const reasoningStart = '{"event":"reasoning",'

/**
 * The frame for a client that does not know frames of thinking: a status with the same `seq`, because a frame that is
 * missing looks like a gap.
 */
export function withoutReasoning(frame: string): string {
  if (!frame.startsWith(reasoningStart)) return frame
  const { messageId, mId, seq } = z.parse(NumberedFrame, JSON.parse(frame))
  return JSON.stringify({ event: 'status', content: 'thinking', messageId, mId, seq })
}

/** The ids of a run and of its message, which are equal for a new question. */
export type RunIds = { messageId: string; mId: string }

export function encodeFrame({ messageId, mId }: RunIds, seq: number, draft: FrameDraft): string {
  // Appended as text, because copying the draft for each frame is expensive. The run's id is a UUID and needs no
  // escaping.
  return `${JSON.stringify(draft).slice(0, -1)},"messageId":"${messageId}","mId":${JSON.stringify(mId)},"seq":${seq}}`
}
