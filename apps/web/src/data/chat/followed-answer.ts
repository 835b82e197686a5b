import { joinedParts, partsAfter, partsBefore } from '@parley/contract/answer-parts'
import type { ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { type Answer, type AnswerEnd, applyFrame, newAnswer } from './apply-frame'
import { finalFields } from './final-fields'
import { hideAnswer, showAnswer } from './live-chat'

/** The live answer stays this long after the final message is stored, until that has been read. */
const handOverMs = 1_500

type Options = {
  send: (frame: ClientFrame) => boolean
  /** Called with the final message. */
  onEnd: (message: Message) => void
}

/**
 * Shows an answer while it is streamed to another device or person. Nothing is stored here: the other device, or the
 * server, does that.
 */
export class FollowedAnswer {
  private answer: Answer
  private isPaused = false
  private isOver = false
  private isStopRequested = false

  /** `run`: of a message in progress, as last fetched. Its text so far is not streamed again. */
  constructor(
    readonly message: Message,
    private readonly run: NonNullable<Message['run']>,
    private readonly options: Options,
  ) {
    this.answer = newAnswer(run.messageId, {
      ...{ seq: run.seq, text: message.chat_response.content.slice(run.base) },
      ...partsAfter(message, partsBefore(run)),
    })
  }

  /** Resumes the stream; called after each new connection. */
  ask(): void {
    this.isPaused = false
    this.show()
    this.options.send({ event: 'resume', messageId: this.run.messageId, afterSeq: this.answer.seq })
    // The stop may have been lost with the connection, or never been sent.
    if (this.isStopRequested) this.stop()
  }

  /** Shows that the connection is lost. */
  pause(): void {
    this.isPaused = true
    this.show()
  }

  stop(): void {
    this.isStopRequested = true
    this.options.send({ event: 'stop-message', messageId: this.run.messageId })
  }

  receive(frame: ServerFrame): void {
    const before = this.answer
    this.answer = applyFrame(before, frame)
    if (this.answer === before || this.isOver) return
    if (this.answer.hasGap && !before.hasGap) this.ask()
    if (this.answer.end) this.finish(this.answer.end)
    else this.show()
  }

  /** Stops following and hides the answer. */
  abandon(): void {
    this.isOver = true
    hideAnswer(this.message.mId, this.run.messageId)
  }

  private finish(end: AnswerEnd): void {
    this.isOver = true
    const { message, run, answer } = this
    const content = message.chat_response.content.slice(0, run.base) + answer.text
    const fields = finalFields(end, { hasText: answer.text !== '', used: run.used })
    const { reasoning: _reasoning, read: _read, sources: _sources, ...said } = message
    this.options.onEnd({
      ...said,
      chat_response: { role: 'assistant', content },
      ...joinedParts(partsBefore(run), answer),
      ...fields,
      run: { ...run, seq: answer.seq },
    })
    setTimeout(() => hideAnswer(this.message.mId, this.run.messageId), handOverMs)
  }

  private show(): void {
    if (this.isOver) return
    const { mId, channelId, chat_response } = this.message
    showAnswer({
      mId,
      channelId,
      messageId: this.run.messageId,
      phase: this.isPaused ? 'lost' : 'writing',
      content: chat_response.content.slice(0, this.run.base) + this.answer.text,
      ...{ ...joinedParts(partsBefore(this.run), this.answer), isThinking: this.answer.isThinking },
      ...(this.answer.isSearching ? { isSearching: true } : {}),
      isSaving: this.answer.isSaving,
      isFollowed: true,
    })
  }
}
