import type { AnswerMessage, ServerFrame, Usage } from '@parley/contract/chat'

/** How an answer ended. */
export type AnswerEnd =
  | { kind: 'completed' | 'stopped'; message: AnswerMessage; length: number; sha256: string }
  | { kind: 'failed'; code: string; content: string; usage?: Usage | undefined }

/** An answer being written: what the frames of one run have told so far. */
export type Answer = {
  messageId: string
  /** The last frame that is in it; 0 before the server has accepted the question. */
  seq: number
  /** The text of this run. */
  text: string
  /** The server is storing the end: stopping is over. */
  isSaving: boolean
  /** Frames are missing: it has to be asked for from `seq` on. */
  hasGap: boolean
  suggestedName: string | undefined
  end: AnswerEnd | undefined
}

export function newAnswer(messageId: string, { seq = 0, text = '' } = {}): Answer {
  return { messageId, seq, text, isSaving: false, hasGap: false, suggestedName: undefined, end: undefined }
}

/** The answer after a frame. What came before is ignored, what comes too early is refused, so that no text is repeated or left out. */
export function applyFrame(answer: Answer, frame: ServerFrame): Answer {
  if (!('messageId' in frame) || frame.event === 'answer-begun' || frame.messageId !== answer.messageId || answer.end) return answer
  // The server itself complains, outside the answer's own frames.
  if (frame.event === 'error' || frame.event === 'no-credits') {
    if (frame.seq !== undefined && frame.seq <= answer.seq) return answer
    return {
      ...answer,
      seq: frame.seq ?? answer.seq,
      end:
        frame.event === 'error'
          ? { kind: 'failed', code: frame.code, content: frame.content, usage: frame.usage }
          : { kind: 'failed', code: 'no-credits', content: frame.content },
    }
  }
  if (frame.seq <= answer.seq) return answer
  if (frame.event === 'snapshot') return { ...answer, seq: frame.seq, text: frame.content, hasGap: false }
  if (frame.seq !== answer.seq + 1) return answer.hasGap ? answer : { ...answer, hasGap: true }

  const next: Answer = { ...answer, seq: frame.seq, hasGap: false }
  switch (frame.event) {
    case 'accepted':
    case 'status':
      return next
    case 'content':
      return { ...next, text: answer.text + frame.content }
    case 'saving-chat':
      return { ...next, isSaving: true }
    case 'suggestion-channel-name':
      return { ...next, suggestedName: frame.content }
    case 'end':
      return {
        ...next,
        text: frame.message.chat_response.content,
        end: { kind: 'completed', message: frame.message, length: frame.length, sha256: frame.sha256 },
      }
    case 'stopped':
      return {
        ...next,
        text: frame.message.chat_response.content,
        end: { kind: 'stopped', message: frame.message, length: frame.length, sha256: frame.sha256 },
      }
    case 'error-openrouter':
      return { ...next, end: { kind: 'failed', code: frame.code, content: frame.content } }
  }
}

/** Whether a text is the one that the server had when it ended. */
export async function isWhole(text: string, { length, sha256 }: { length: number; sha256: string }): Promise<boolean> {
  if (text.length !== length) return false
  // Without a secure context there is no digest; the length has to do.
  if (!globalThis.crypto?.subtle) return true
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}
