import type { ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { type Answer, type AnswerEnd, applyFrame, newAnswer } from './apply-frame'
import { finalFields } from './final-fields'
import { hideAnswer, showAnswer } from './live-chat'

/** The stored end is shown from then on; the live one stays a moment, until it has been read. */
const handOverMs = 1_500

type Options = {
  send: (frame: ClientFrame) => boolean
  /** The answer is over: the message as it ended. */
  onEnd: (message: Message) => void
}

/** Shows an answer that another device or another person asked for while it is written. Nothing is stored here: whoever asked, or the server, does that. */
export class FollowedAnswer {
  private answer: Answer
  private isPaused = false
  private isOver = false
  private isUnwanted = false

  /** `run`: of a message that is being written, as it was last read. What it has of the text is not asked for again. */
  constructor(
    readonly message: Message,
    private readonly run: NonNullable<Message['run']>,
    private readonly options: Options,
  ) {
    this.answer = newAnswer(run.messageId, { seq: run.seq, text: message.chat_response.content.slice(run.base) })
  }

  /** Begins, and goes on after each new connection. */
  ask(): void {
    this.isPaused = false
    this.show()
    this.options.send({ event: 'resume', messageId: this.run.messageId, afterSeq: this.answer.seq })
    // It may have been lost with the connection, or never have gone out.
    if (this.isUnwanted) this.stop()
  }

  /** The connection is away for longer: the reader sees that it waits. */
  pause(): void {
    this.isPaused = true
    this.show()
  }

  stop(): void {
    this.isUnwanted = true
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

  /** Shows nothing more of it. */
  abandon(): void {
    this.isOver = true
    hideAnswer(this.message.mId, this.run.messageId)
  }

  private finish(end: AnswerEnd): void {
    this.isOver = true
    const { message, run, answer } = this
    const content = message.chat_response.content.slice(0, run.base) + answer.text
    const fields = finalFields(end, { hasText: answer.text !== '', used: run.used })
    this.options.onEnd({ ...message, chat_response: { role: 'assistant', content }, ...fields, run: { ...run, seq: answer.seq } })
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
      isSaving: this.answer.isSaving,
      isFollowed: true,
    })
  }
}
