import { uuidv7 } from '@parley/contract/uuid'
import { askChat } from './ask-chat'

/**
 * Asks an edited question beside the one that it was: another version of it, which follows the same answer and is told
 * the same path. The head moves to it; the one before stays with all that followed it. An answer that is being written
 * in the channel is stopped. Answers the id of the new message; undefined where the text is empty or the same, or
 * credits are missing. Throws AppError, chat.version-gone where what the question follows was deleted: then nothing was
 * sent.
 */
export async function editQuestion(channelId: string, mId: string, text: string): Promise<string | undefined> {
  const outcome = await askChat({ kind: 'edit', id: uuidv7(), channelId, mId, text: text.trim() })
  return outcome.kind === 'stored' ? outcome.mId : undefined
}
