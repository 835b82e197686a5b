import type { Message } from '@parley/contract/chat'
import { hideAnswer, showAnswer } from './live-chat'

/**
 * Messages whose end could not be stored: the device is full, or the cloud did not answer. By the id of the run. Only this page has them;
 * their entries in the outbox stay, so that another tab or the next start can fetch the answer again.
 */
const unsaved = new Map<string, Message>()

export const unsavedAnswers = {
  /** Shows the message as it ended until it is dropped. */
  keep(message: Message): void {
    const { mId, channelId, chat_response, run } = message
    if (!run) return
    unsaved.set(run.messageId, message)
    showAnswer({ mId, channelId, messageId: run.messageId, phase: 'unsaved', content: chat_response.content, isSaving: false, ended: message })
  },
  get(messageId: string): Message | undefined {
    return unsaved.get(messageId)
  },
  /** It is stored, or there is nothing left to store it in. */
  drop(messageId: string): void {
    const message = unsaved.get(messageId)
    unsaved.delete(messageId)
    if (message) hideAnswer(message.mId, messageId)
  },
  /** Another person uses this page. */
  clear(): void {
    for (const messageId of [...unsaved.keys()]) unsavedAnswers.drop(messageId)
  },
}
