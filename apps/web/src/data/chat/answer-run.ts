import type { ClientFrame, Message, Reasoning, ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { joinedReasoning, reasoningAfter } from '@parley/contract/reasoning'
import type { ChannelStore, Owner } from '../channels/channel-store'
import { readDraft, writeDraft } from '../channels/drafts'
import { storeOf } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { readQueue } from '../channels/queued-questions'
import { storedSession } from '../session/stored-session'
import { type Answer, type AnswerEnd, applyFrame, isWhole, newAnswer } from './apply-frame'
import { notify } from './chat-notices'
import { finalFields } from './final-fields'
import { hideAnswer, showAnswer } from './live-chat'
import { unsavedAnswers } from './unsaved-answers'

type Send = (frame: ClientFrame) => boolean

/** The live answer stays this long after the final message is stored, until that has been read. */
const handOverMs = 1_500

/**
 * Receives one answer: sends the question until it is accepted, resumes the stream after a lost connection, saves
 * partial text, and stores the final message.
 */
export class AnswerRun {
  readonly ended: Promise<void>
  private answer: Answer
  private isAccepted: boolean
  private isChecked = false
  private isSettled = false
  private isPaused = false
  private isStopRequested = false
  private askTimer: ReturnType<typeof setInterval> | undefined
  private saveTimer: ReturnType<typeof setTimeout> | undefined
  private saving: Promise<void> = Promise.resolve()
  private resolveEnded: () => void = () => undefined
  private readonly store: ChannelStore
  /** The person whose vault stores it: another person may use this page before it ends. */
  private readonly owner: Owner = { userId: storedSession()?.user.id }

  constructor(
    private readonly entry: OutboxEntry,
    private message: Message,
    private readonly send: Send,
    private readonly onSuggestedName: (channelId: string, name: string) => void,
  ) {
    this.store = storeOf(entry.body.channelId, entry.body.storageMode)
    const base = message.run?.base ?? 0
    this.answer = newAnswer(entry.body.messageId, {
      seq: message.run?.seq ?? 0,
      text: message.chat_response.content.slice(base),
      reasoning: reasoningAfter(message.reasoning, message.run?.thought),
    })
    this.isAccepted = this.answer.seq > 0
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
  }

  get messageId(): string {
    return this.answer.messageId
  }

  /** Sends the question, or resumes the stream; called after each new connection. */
  ask(): void {
    if (this.isSettled) return
    this.isPaused = false
    this.show()
    const { messageId, seq } = this.answer
    if (this.isAccepted) this.send({ event: 'resume', messageId, afterSeq: seq })
    else {
      this.send({ route: 'createChatMessage', body: this.entry.body })
      // Repeated until it is acknowledged: the id keeps the server from starting a second answer.
      this.askTimer ??= setInterval(
        () => !this.isAccepted && this.send({ route: 'createChatMessage', body: this.entry.body }),
        webLimits.chat.acceptTimeoutMs,
      )
    }
    // The stop may have been lost with the connection, or never been sent.
    if (this.isStopRequested) this.stop()
  }

  /**
   * Shows that reconnecting failed, so that the person may ask again. The run resumes by itself with the next
   * connection.
   */
  pause(): void {
    if (this.isSettled || this.answer.end) return
    this.isPaused = true
    this.show()
  }

  /**
   * Answers false when the stop could not be sent: it is repeated with the next connection, as long as this run exists.
   */
  stop(): boolean {
    this.isStopRequested = true
    return this.send({ event: 'stop-message', messageId: this.messageId })
  }

  /** Ends without storing anything, because the channel was deleted or the vault closed. */
  abandon(): void {
    if (!this.isSettled) this.settle('hide')
  }

  receive(frame: ServerFrame): void {
    const before = this.answer
    this.answer = applyFrame(before, frame)
    if (this.answer === before || this.isSettled) return
    if (this.answer.seq > 0 && !this.isAccepted) {
      this.isAccepted = true
      clearInterval(this.askTimer)
    }
    if (this.answer.hasGap && !before.hasGap)
      this.send({ event: 'resume', messageId: this.messageId, afterSeq: this.answer.seq })
    if (this.answer.suggestedName !== undefined && before.suggestedName === undefined)
      this.onSuggestedName(this.message.channelId, this.answer.suggestedName)
    if (this.answer.end) void this.finish(this.answer.end)
    else {
      this.show()
      this.saveTimer ??= setTimeout(() => this.savePartial(), webLimits.chat.partialSaveMs)
    }
  }

  /** Stores the partial text; also called when the page is closed. */
  savePartial(): void {
    clearTimeout(this.saveTimer)
    this.saveTimer = undefined
    if (this.isSettled || this.answer.end || this.answer.seq === 0) return
    const partial = this.withAnswer({ status: 'streaming' })
    // One write after the other, so that an older text never overwrites a newer one.
    this.saving = this.saving.then(() => (this.isOwners ? this.store.put(partial, this.owner) : undefined)).catch(noop)
  }

  private async finish(end: AnswerEnd): Promise<void> {
    clearTimeout(this.saveTimer)
    clearInterval(this.askTimer)
    if (end.kind !== 'failed' && !this.isChecked && !(await isWhole(this.answer.text, end))) {
      // The text differs from the server's digest: it is fetched once more from the beginning. If it differs again, the
      // server's own text is used.
      this.isChecked = true
      this.answer = newAnswer(this.messageId)
      this.send({ event: 'resume', messageId: this.messageId, afterSeq: 0 })
      return
    }
    await this.saving
    // Abandoned meanwhile: the channel was deleted, or its vault closed.
    if (this.isSettled) return
    if (end.kind === 'failed' && this.isReturned(end.code) && (await this.returnQuestion(end)))
      return this.settle('hide')
    const previousAnswer = this.restored(end)
    const message =
      previousAnswer ??
      this.withAnswer(finalFields(end, { hasText: this.answer.text !== '', used: this.message.run?.used }))
    try {
      await this.store.put(message, this.owner)
    } catch (error) {
      notify({ kind: 'not-saved', error })
      if (!isChannelGone(error)) {
        // It stays on screen, and its outbox entry remains: this page stores it later, or the next start fetches it
        // again while the server has it.
        unsavedAnswers.add(message)
        return this.settle('keep')
      }
    }
    // An entry that cannot be removed now is removed at the next start, which finds the stored message.
    await outbox.remove(this.messageId).catch(noop)
    if (end.kind === 'failed' && (previousAnswer || message.status === 'failed'))
      notify({ kind: 'failed', content: end.content, code: end.code })
    else if (end.kind !== 'failed' && end.message.empty) notify({ kind: 'empty' })
    this.settle('hand-over')
  }

  private get isOwners(): boolean {
    return storedSession()?.user.id === this.owner.userId
  }

  /** The cloud cannot store an edited question that it refuses in its place. */
  private isReturned(code: string): boolean {
    const isRefusedEdit = !this.isAccepted && this.message.afterRunId !== undefined
    return code === 'no-credits' || (isRefusedEdit && this.entry.body.storageMode === 'cloud')
  }

  /**
   * Returns a refused question to the draft and removes its message, unless the next question is already being typed
   * there.
   */
  private async returnQuestion({ code, content }: { code: string; content: string }): Promise<boolean> {
    const { mId, channelId, chat_request: question } = this.message
    if (this.messageId !== mId || this.answer.text !== '') return false
    try {
      if ((await readDraft(channelId)).trim() !== '') return false
      // What waits behind it must not be asked before it.
      if ((await readQueue(channelId)).length > 0) return false
      writeDraft(channelId, question)
      notify(
        code === 'no-credits'
          ? { kind: 'no-credits', content, question, channelId }
          : { kind: 'failed', content, code },
      )
      await this.store.removeMessage(channelId, mId, this.owner)
      await outbox.remove(this.messageId)
      return true
    } catch {
      // The message stays, with the reason of the refusal.
      return false
    }
  }

  /** The live answer is hidden at once, handed over to the stored message, or kept. */
  private settle(shown: 'hide' | 'hand-over' | 'keep'): void {
    this.isSettled = true
    clearTimeout(this.saveTimer)
    clearInterval(this.askTimer)
    if (shown === 'hide') hideAnswer(this.message.mId, this.messageId)
    if (shown === 'hand-over') setTimeout(() => hideAnswer(this.message.mId, this.messageId), handOverMs)
    this.resolveEnded()
  }

  /** The previous answer of the message, where this run produced none: a failed retry must not lose it. */
  private restored(end: AnswerEnd): Message | undefined {
    const { previous, thought: _thought, ...run } = this.message.run ?? {}
    const isNothing = this.answer.text.trim() === '' || (end.kind !== 'failed' && end.message.empty === true)
    if (!previous || !isNothing) return undefined
    const { mId, channelId, chat_request, datetime, author, forwarded } = this.message
    return {
      ...{ mId, channelId, chat_request, datetime, ...previous },
      ...(author === undefined ? {} : { author }),
      ...(forwarded === undefined ? {} : { forwarded }),
      run: {
        ...run,
        ...{ messageId: this.messageId, seq: this.answer.seq, base: previous.chat_response.content.length },
        ...(previous.reasoning === undefined ? {} : { thought: previous.reasoning }),
      },
    }
  }

  private withAnswer(fields: Partial<Message>): Message {
    const { previous, ...run } = this.message.run ?? { messageId: this.messageId, seq: 0, base: 0 }
    const kept = this.message.chat_response.content.slice(0, run.base)
    const { error: _error, empty: _empty, reasoning: _reasoning, ...message } = this.message
    const { reasoning } = this
    return {
      ...message,
      ...(reasoning === undefined ? {} : { reasoning }),
      chat_response: { role: 'assistant', content: kept + this.answer.text },
      ...fields,
      run: {
        ...run,
        messageId: this.messageId,
        seq: this.answer.seq,
        ...(previous && this.answer.text === '' ? { previous } : {}),
      },
    }
  }

  private get reasoning(): Reasoning | undefined {
    return joinedReasoning(this.message.run?.thought, this.answer.reasoning)
  }

  private show(): void {
    const { mId, channelId, chat_response, run } = this.message
    showAnswer({
      mId,
      channelId,
      messageId: this.messageId,
      phase: this.isPaused ? 'lost' : this.answer.seq > 0 ? 'writing' : 'waiting',
      content: chat_response.content.slice(0, run?.base ?? 0) + this.answer.text,
      ...{ reasoning: this.reasoning, isThinking: this.answer.isThinking },
      isSaving: this.answer.isSaving,
    })
  }
}

const noop = (): void => undefined

export function isChannelGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'channel.not-found'
}
