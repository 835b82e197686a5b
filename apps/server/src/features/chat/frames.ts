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
const TextFrame = z.object({ event: z.enum(['content', 'snapshot']), content: z.string() })

/** Of a frame as it stands in the log. */
export function isFinalFrame(frame: string): boolean {
  const { event } = z.parse(FrameEvent, JSON.parse(frame))
  return finalEvents.some((final) => final === event)
}

/** The text that a log shows, and its last frame; undefined where its beginning is missing. */
export function shownText(entries: readonly { seq: number; frame: string }[]): { text: string; seq: number } | undefined {
  let shown = { text: '', seq: 0 }
  for (const { seq, frame } of entries) {
    const read = z.safeParse(TextFrame, JSON.parse(frame))
    const { event, content } = read.success ? read.data : { event: undefined, content: '' }
    if (event !== 'snapshot' && seq !== shown.seq + 1) return undefined
    shown = { text: event === 'snapshot' ? content : shown.text + content, seq }
  }
  return shown.seq === 0 ? undefined : shown
}

/** A run on the wire, and the exchange whose answer it writes: the same for a new question. */
export type RunIds = { messageId: string; mId: string }

export function encodeFrame({ messageId, mId }: RunIds, seq: number, draft: FrameDraft): string {
  // Appended as text: copying the draft for each frame is what costs here. The run's id is a UUID and needs no escaping.
  return `${JSON.stringify(draft).slice(0, -1)},"messageId":"${messageId}","mId":${JSON.stringify(mId)},"seq":${seq}}`
}
