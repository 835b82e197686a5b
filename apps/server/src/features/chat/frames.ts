import { Reasoning, type ServerFrame } from '@parley/contract/chat'
import { finalEvents, type optionalFrames } from '@parley/contract/chat-protocol'
import { FilePart, SourcePart } from '@parley/contract/parts'
import { citedNumbers } from '@parley/contract/sent-sources'
import * as z from 'zod/mini'

type Omitted<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type AnswerEvent =
  | 'accepted'
  | 'status'
  | 'content'
  | 'reasoning'
  | 'file'
  | 'source'
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
  z.object({ event: z.literal('file'), part: FilePart }),
  z.object({ event: z.literal('source'), part: SourcePart }),
  z.object({
    event: z.literal('snapshot'),
    content: z.string(),
    reasoning: z.optional(Reasoning),
    read: z.optional(z.array(FilePart)),
    sources: z.optional(z.array(SourcePart)),
  }),
])

/** What readers of an answer were shown, and the last `seq` that it includes. */
export type ShownAnswer = ShownParts & { text: string; seq: number }
type ShownParts = { reasoning: Reasoning | undefined; read: FilePart[]; sources: SourcePart[] }
const nothingShown: ShownAnswer = { text: '', reasoning: undefined, read: [], sources: [], seq: 0 }

/** `frame` is an encoded frame of the stream log. */
export function isFinalFrame(frame: string): boolean {
  const { event } = z.parse(FrameEvent, JSON.parse(frame))
  return finalEvents.some((final) => final === event)
}

/** What the frames of a stream log show; undefined where frames are missing. */
export function shownAnswer(entries: readonly { seq: number; frame: string }[]): ShownAnswer | undefined {
  let shown = nothingShown
  for (const { seq, frame } of entries) {
    const { data } = z.safeParse(ShownFrame, JSON.parse(frame))
    if (data?.event !== 'snapshot' && seq !== shown.seq + 1) return undefined
    shown = { ...shown, seq }
    if (data?.event === 'snapshot')
      shown = { text: data.content, reasoning: data.reasoning, read: data.read ?? [], sources: data.sources ?? [], seq }
    if (data?.event === 'content') shown.text += data.content
    if (data?.event === 'reasoning') shown.reasoning = withThinking(shown.reasoning, data)
    if (data?.event === 'file') shown.read = withRead(shown.read, data.part)
    if (data?.event === 'source') shown.sources = [...shown.sources, data.part]
  }
  if (shown.seq === 0) return undefined
  // What was taken for a citation while it was written may have become a link or code.
  const cited = new Set(citedNumbers(shown.text))
  return { ...shown, sources: shown.sources.filter(({ n }) => cited.has(n)) }
}

/** What was read after a further frame of it: a later one takes the place of an earlier one for the same file. */
export const withRead = (before: readonly FilePart[], part: FilePart): FilePart[] => [
  ...before.filter(({ fileId }) => fileId !== part.fileId),
  part,
]

/** The thinking of an answer after a further frame of it. */
export function withThinking(before: Reasoning | undefined, added: { content: string; ms: number }): Reasoning {
  return { text: (before?.text ?? '') + added.content, ms: added.ms }
}

export type OptionalFrame = (typeof optionalFrames)[number]

const optionalStart = /^\{"event":"(reasoning|file|source)",/

/**
 * The frame for a client that knows these of the optional ones: in the place of another one a status with the same
 * `seq`, because a frame that is missing looks like a gap.
 */
export function frameFor(known: ReadonlySet<string>, frame: string): string {
  const event = optionalStart.exec(frame)?.[1]
  if (event === undefined || known.has(event)) return frame
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
