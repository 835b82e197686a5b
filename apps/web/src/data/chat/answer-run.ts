import type { ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import type { ChannelStore, Owner } from '../channels/channel-store'
import { readDraft, writeDraft } from '../channels/drafts'
import { homes } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { storedSession } from '../session/stored-session'
import { type Answer, type AnswerEnd, applyFrame, isWhole, newAnswer } from './apply-frame'
import { notify } from './chat-notices'
import { finalFields } from './final-fields'
import { hideAnswer, showAnswer } from './live-chat'
import { unsavedAnswers } from './unsaved-answers'

type Send = (frame: ClientFrame) => boolean

/** The stored end is shown from then on; the live one stays a moment, until it has been read. */
const handOverMs = 1_500

/** Receives one answer and keeps it on the device: asks until it is accepted, resumes after a break, saves what has arrived, stores the end. */
export class AnswerRun {
  readonly ended: Promise<void>
  private answer: Answer
  private isAsked: boolean
  private isChecked = false
  private isSettled = false
  private isPaused = false
  private isUnwanted = false
  private askTimer: ReturnType<typeof setInterval> | undefined
  private saveTimer: ReturnType<typeof setTimeout> | undefined
  private saving: Promise<void> = Promise.resolve()
  private resolveEnded: () => void = () => undefined
  private readonly store: ChannelStore
  /** Whose vault it is stored in: another person may use this page before it ends. */
  private readonly owner: Owner = { userId: storedSession()?.user.id }

  constructor(
    private readonly entry: OutboxEntry,
    private message: Message,
    private readonly send: Send,
    private readonly onSuggestedName: (channelId: string, name: string) => void,
  ) {
    this.store = homes[entry.body.storageMode]
    const base = message.run?.base ?? 0
    this.answer = newAnswer(entry.body.messageId, { seq: message.run?.seq ?? 0, text: message.chat_response.content.slice(base) })
    this.isAsked = this.answer.seq > 0
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
  }

  get messageId(): string {
    return this.answer.messageId
  }

  /** Begins, and begins again after each new connection. */
  ask(): void {
    if (this.isSettled) return
    this.isPaused = false
    this.show()
    const { messageId, seq } = this.answer
    if (this.isAsked) this.send({ event: 'resume', messageId, afterSeq: seq })
    else {
      this.send({ route: 'createChatMessage', body: this.entry.body })
      // Not acknowledged: the same id again, which never starts a second answer.
      this.askTimer ??= setInterval(() => !this.isAsked && this.send({ route: 'createChatMessage', body: this.entry.body }), limits.chat.acceptTimeoutMs)
    }
    // It may have been lost with the connection, or never have gone out.
    if (this.isUnwanted) this.stop()
  }

  /** The reconnects failed: the person sees that nothing runs, and may ask again. It goes on by itself with the next connection. */
  pause(): void {
    if (this.isSettled || this.answer.end) return
    this.isPaused = true
    this.show()
  }

  /** False when that could not go out: it is said again with the next connection, as long as this run lives. */
  stop(): boolean {
    this.isUnwanted = true
    return this.send({ event: 'stop-message', messageId: this.messageId })
  }

  /** Ends without storing anything: the channel is gone. */
  abandon(): void {
    if (!this.isSettled) this.settle('hide')
  }

  receive(frame: ServerFrame): void {
    const before = this.answer
    this.answer = applyFrame(before, frame)
    if (this.answer === before || this.isSettled) return
    if (this.answer.seq > 0 && !this.isAsked) {
      this.isAsked = true
      clearInterval(this.askTimer)
    }
    if (this.answer.hasGap && !before.hasGap) this.send({ event: 'resume', messageId: this.messageId, afterSeq: this.answer.seq })
    if (this.answer.suggestedName !== undefined && before.suggestedName === undefined) this.onSuggestedName(this.message.channelId, this.answer.suggestedName)
    if (this.answer.end) void this.finish(this.answer.end)
    else {
      this.show()
      this.saveTimer ??= setTimeout(() => this.savePartial(), limits.chat.partialSaveMs)
    }
  }

  /** Stores what has arrived so far; also when the page is left. */
  savePartial(): void {
    clearTimeout(this.saveTimer)
    this.saveTimer = undefined
    if (this.isSettled || this.answer.end || this.answer.seq === 0) return
    const partial = this.stored({ status: 'streaming' })
    // One after the other, so that an older text never overwrites a newer one.
    this.saving = this.saving.then(() => (this.isOwners ? this.store.put(partial, this.owner) : undefined)).catch(noop)
  }

  private async finish(end: AnswerEnd): Promise<void> {
    clearTimeout(this.saveTimer)
    clearInterval(this.askTimer)
    if (end.kind !== 'failed' && !this.isChecked && !(await isWhole(this.answer.text, end))) {
      // Once more from the beginning; if it differs again, the server's own text is as good as it gets.
      this.isChecked = true
      this.answer = newAnswer(this.messageId)
      this.send({ event: 'resume', messageId: this.messageId, afterSeq: 0 })
      return
    }
    await this.saving
    // Abandoned meanwhile: its channel is gone, or the vault that it belongs to is closed.
    if (this.isSettled) return
    if (end.kind === 'failed' && end.code === 'no-credits' && (await this.giveBack(end.content))) return this.settle('hide')
    const restored = this.restored(end)
    const message = restored ?? this.stored(finalFields(end, { hasText: this.answer.text !== '', used: this.message.run?.used }))
    try {
      await this.store.put(message, this.owner)
    } catch (error) {
      notify({ kind: 'not-saved', error })
      if (!isGone(error)) {
        // It stays on screen, and its entry in the outbox: this page stores it later, or the next start fetches it again while the server has it.
        unsavedAnswers.keep(message)
        return this.settle('keep')
      }
    }
    // An entry that cannot be removed is removed at the next start, where the stored end is seen.
    await outbox.remove(this.messageId).catch(noop)
    if (end.kind === 'failed' && (restored || message.status === 'failed')) notify({ kind: 'failed', content: end.content, code: end.code })
    else if (end.kind !== 'failed' && end.message.empty) notify({ kind: 'empty' })
    this.settle('hand-over')
  }

  private get isOwners(): boolean {
    return storedSession()?.user.id === this.owner.userId
  }

  /** A question that was refused before anything came of it goes back to its box, and is no message any more; unless the next one is being written there. */
  private async giveBack(content: string): Promise<boolean> {
    const { mId, channelId, chat_request: question } = this.message
    if (this.messageId !== mId || this.answer.text !== '') return false
    try {
      if ((await readDraft(channelId)).trim() !== '') return false
      writeDraft(channelId, question)
      notify({ kind: 'no-credits', content, question, channelId })
      await this.store.removeMessage(channelId, mId, this.owner)
      await outbox.remove(this.messageId)
      return true
    } catch {
      // Then it stays where it is, and says why.
      return false
    }
  }

  /** What is shown of it is hidden at once, handed over to the stored end, or kept. */
  private settle(shown: 'hide' | 'hand-over' | 'keep'): void {
    this.isSettled = true
    clearTimeout(this.saveTimer)
    clearInterval(this.askTimer)
    if (shown === 'hide') hideAnswer(this.message.mId, this.messageId)
    if (shown === 'hand-over') setTimeout(() => hideAnswer(this.message.mId, this.messageId), handOverMs)
    this.resolveEnded()
  }

  /** The message as it was, where it had an answer and this run brought none: a try that fails costs nobody what they had. */
  private restored(end: AnswerEnd): Message | undefined {
    const { previous, ...run } = this.message.run ?? {}
    const isNothing = this.answer.text.trim() === '' || (end.kind !== 'failed' && end.message.empty === true)
    if (!previous || !isNothing) return undefined
    const { mId, channelId, chat_request, datetime, author, forwarded } = this.message
    return {
      ...{ mId, channelId, chat_request, datetime, ...previous },
      ...(author === undefined ? {} : { author }),
      ...(forwarded === undefined ? {} : { forwarded }),
      run: { ...run, messageId: this.messageId, seq: this.answer.seq, base: previous.chat_response.content.length },
    }
  }

  private stored(fields: Partial<Message>): Message {
    const { previous, ...run } = this.message.run ?? { messageId: this.messageId, seq: 0, base: 0 }
    const kept = this.message.chat_response.content.slice(0, run.base)
    const { error: _error, empty: _empty, ...message } = this.message
    return {
      ...message,
      chat_response: { role: 'assistant', content: kept + this.answer.text },
      ...fields,
      run: { ...run, messageId: this.messageId, seq: this.answer.seq, ...(previous && this.answer.text === '' ? { previous } : {}) },
    }
  }

  private show(): void {
    const { mId, channelId, chat_response, run } = this.message
    showAnswer({
      mId,
      channelId,
      messageId: this.messageId,
      phase: this.isPaused ? 'lost' : this.answer.seq > 0 ? 'writing' : 'waiting',
      content: chat_response.content.slice(0, run?.base ?? 0) + this.answer.text,
      isSaving: this.answer.isSaving,
    })
  }
}

const noop = (): void => undefined

export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'channel.not-found'
}
