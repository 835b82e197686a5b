import type { ClientFrame, ServerFrame } from '@parley/contract/chat'

type Answering = { mId: string; text: string; frames: ServerFrame[]; isOver: boolean; end: string | undefined }

/** The server's side of a chat: it begins each question once, and repeats the frames of an answer to whoever asks. */
export class AnsweringServer {
  answers = new Map<string, Answering>()

  /** Answers the frames for whoever has sent this one. `all`: frames for everybody who is connected. */
  hear(frame: ClientFrame): { messageId: string; own: ServerFrame[]; all: ServerFrame[] } | undefined {
    if ('route' in frame) {
      const { messageId, mId = messageId } = frame.body
      const begun: ServerFrame[] = [{ event: 'accepted', messageId, mId, seq: 1 }]
      if (!this.answers.has(messageId))
        this.answers.set(messageId, { mId, text: '', frames: begun, isOver: false, end: undefined })
      return { messageId, own: this.framesOf(messageId, 0), all: [] }
    }
    if (frame.event === 'resume')
      return { messageId: frame.messageId, own: this.framesOf(frame.messageId, frame.afterSeq), all: [] }
    if (frame.event !== 'stop-message') return undefined
    return { messageId: frame.messageId, own: [], all: this.write(frame.messageId, 'stopped') }
  }

  private framesOf = (messageId: string, afterSeq: number): ServerFrame[] =>
    this.answers.get(messageId)?.frames.slice(afterSeq) ?? []

  /** Goes on with an answer. */
  write(messageId: string, kind: 'content' | 'end' | 'stopped' | 'failed'): ServerFrame[] {
    const answering = this.answers.get(messageId)
    if (!answering || answering.isOver) return []
    const { mId, frames } = answering
    const ids = { messageId, mId, seq: frames.length + 1 }
    if (kind === 'content') answering.text += `${ids.seq} `
    else answering.isOver = true
    const { text } = answering
    const message = { mId, chat_response: { role: 'assistant' as const, content: text } }
    const frame: ServerFrame =
      kind === 'content'
        ? { event: 'content', ...ids, content: `${ids.seq} ` }
        : kind === 'failed'
          ? { event: 'error-openrouter', ...ids, code: 'upstream.down', content: 'Later.' }
          : { event: kind, ...ids, message, length: text.length, sha256: '' }
    if (kind !== 'content') answering.end = kind
    frames.push(frame)
    return [frame]
  }
}
