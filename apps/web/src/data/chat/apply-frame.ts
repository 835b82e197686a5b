import type { AnswerParts } from '@parley/contract/answer-parts'
import type { AnswerMessage, Reasoning, ServerFrame, Usage } from '@parley/contract/chat'

/** How an answer ended. */
export type AnswerEnd =
  | { kind: 'completed' | 'stopped'; message: AnswerMessage; length: number; sha256: string }
  | { kind: 'failed'; code: string; content: string; usage?: Usage | undefined }

/** The state of an answer after the frames of one run so far. */
export type Answer = Pick<AnswerParts, 'read' | 'sources'> & {
  messageId: string
  /** The number of the last applied frame; 0 before the server has accepted the question. */
  seq: number
  /** The text of this run. */
  text: string
  /** What the model thought in this run. */
  reasoning: Reasoning | undefined
  /** What came last was thinking. */
  isThinking: boolean
  /** The web is searched for the question. */
  isSearching: boolean
  /** The server is storing the final message: it can no longer be stopped. */
  isSaving: boolean
  /** Frames are missing: the stream must be resumed after `seq`. */
  hasGap: boolean
  suggestedName: string | undefined
  end: AnswerEnd | undefined
}

type Before = AnswerParts & { seq?: number; text?: string }

export function newAnswer(messageId: string, { seq = 0, text = '', ...parts }: Before = {}): Answer {
  return {
    ...{ messageId, seq, text, reasoning: parts.reasoning, isThinking: parts.reasoning !== undefined && text === '' },
    ...{ read: parts.read, sources: parts.sources },
    ...{ isSearching: false, isSaving: false, hasGap: false, suggestedName: undefined, end: undefined },
  }
}

/**
 * Applies a frame to an answer. Repeated frames are ignored and early ones refused, so that no text is repeated or
 * lost.
 */
export function applyFrame(answer: Answer, frame: ServerFrame): Answer {
  if (!('messageId' in frame) || frame.event === 'answer-begun' || frame.messageId !== answer.messageId || answer.end)
    return answer
  // An error of the server, outside the numbered frames of the answer.
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
  if (frame.event === 'snapshot') {
    const { seq, content: text, reasoning, read, sources } = frame
    return {
      ...answer,
      seq,
      text,
      reasoning,
      read,
      sources,
      isThinking: reasoning !== undefined && text === '',
      hasGap: false,
    }
  }
  if (frame.seq !== answer.seq + 1) return answer.hasGap ? answer : { ...answer, hasGap: true }

  const next: Answer = { ...answer, seq: frame.seq, hasGap: false, isSearching: false }
  switch (frame.event) {
    case 'accepted':
      return next
    case 'status':
      return { ...next, isSearching: frame.content === 'searching' }
    case 'content':
      return { ...next, text: answer.text + frame.content, isThinking: false }
    case 'reasoning': {
      const { content, ms } = frame
      return { ...next, reasoning: { text: (answer.reasoning?.text ?? '') + content, ms }, isThinking: true }
    }
    case 'file': {
      const others = answer.read?.filter(({ fileId }) => fileId !== frame.part.fileId) ?? []
      return { ...next, read: [...others, frame.part] }
    }
    case 'source':
      return { ...next, sources: [...(answer.sources ?? []), frame.part] }
    case 'saving-chat':
      return { ...next, isSaving: true, isThinking: false }
    case 'suggestion-channel-name':
      return { ...next, suggestedName: frame.content }
    case 'end':
    case 'stopped': {
      const { message, length, sha256 } = frame
      const { chat_response, reasoning, read, sources } = message
      const kind = frame.event === 'end' ? 'completed' : 'stopped'
      return { ...next, text: chat_response.content, reasoning, read, sources, end: { kind, message, length, sha256 } }
    }
    case 'error-openrouter':
      return { ...next, end: { kind: 'failed', code: frame.code, content: frame.content } }
  }
}

/** Whether a text matches the length and digest of the server's final text. */
export async function isWhole(text: string, { length, sha256 }: { length: number; sha256: string }): Promise<boolean> {
  if (text.length !== length) return false
  // Without a secure context there is no digest, and only the length is compared.
  if (!globalThis.crypto?.subtle) return true
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}
