import type { Message } from '@parley/contract/chat'
import { scoped } from '../scope/scope'
import { hideAnswer, showAnswer } from './live-chat'

/**
 * Final messages that could not be stored, because the device is full or the cloud did not answer, by the id of their
 * run. Only this page has them; their outbox entries stay, so that another tab or the next start can fetch the answer
 * again.
 */
const unsavedMessages = scoped(() => new Map<string, Message>())

export const unsavedAnswers = {
  /** Shows the final message until it is dropped. */
  add(message: Message): void {
    const { mId, channelId, chat_response, run } = message
    if (!run) return
    unsavedMessages().set(run.messageId, message)
    showAnswer({
      mId,
      channelId,
      messageId: run.messageId,
      phase: 'unsaved',
      content: chat_response.content,
      isSaving: false,
      ended: message,
    })
  },
  get(messageId: string): Message | undefined {
    return unsavedMessages().get(messageId)
  },
  /** The message is stored, or its channel is gone. */
  drop(messageId: string): void {
    const unsaved = unsavedMessages()
    const message = unsaved.get(messageId)
    unsaved.delete(messageId)
    if (message) hideAnswer(message.mId, messageId)
  },
}
