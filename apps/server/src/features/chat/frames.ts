import { finalEvents, type ServerFrame } from '@parley/contract/chat'
import * as z from 'zod/mini'

type Omitted<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type AnswerEvent = 'accepted' | 'status' | 'content' | 'snapshot' | 'saving-chat' | 'end' | 'stopped' | 'suggestion-channel-name' | 'error' | 'error-openrouter'

/** A frame of an answer before it gets its place: `messageId`, `mId` and `seq` are added when it is written to the log. */
export type FrameDraft = Omitted<Extract<ServerFrame, { event: AnswerEvent }>, 'messageId' | 'mId' | 'seq'>

export type FinalDraft = Extract<FrameDraft, { event: 'end' | 'stopped' | 'error' | 'error-openrouter' }>

export function isFinal(draft: FrameDraft): draft is FinalDraft {
  return draft.event === 'end' || draft.event === 'stopped' || draft.event === 'error' || draft.event === 'error-openrouter'
}

const FrameEvent = z.object({ event: z.string() })

/** Of a frame as it stands in the log. */
export function isFinalFrame(frame: string): boolean {
  const { event } = z.parse(FrameEvent, JSON.parse(frame))
  return finalEvents.some((final) => final === event)
}

/** A run on the wire, and the exchange whose answer it writes: the same for a new question. */
export type RunIds = { messageId: string; mId: string }

export function encodeFrame({ messageId, mId }: RunIds, seq: number, draft: FrameDraft): string {
  // Appended as text: copying the draft for each frame is what costs here. The run's id is a UUID and needs no escaping.
  return `${JSON.stringify(draft).slice(0, -1)},"messageId":"${messageId}","mId":${JSON.stringify(mId)},"seq":${seq}}`
}
