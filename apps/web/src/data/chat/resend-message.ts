// Another run of a question that was asked: an answer in place of the one that stands, or the rest of it.
import { uuidv7 } from '@parley/contract/uuid'
import { requestModelId } from '../models/chosen-model'
import { askChat } from './ask-chat'
import { isLost } from './live-chat'

/**
 * Sends the question of a message again, wherever it stands on the path; the new answer becomes the version that is
 * shown, and the one before stays, also on screen when nothing of the new one comes. An answer that is being written
 * elsewhere in the channel is stopped. `modelId`: of the model that answers, the chosen one without it. Does nothing
 * while credits are missing. Throws AppError.
 */
export async function resendMessage(
  channelId: string,
  mId: string,
  { modelId = requestModelId() }: { modelId?: string | undefined } = {},
): Promise<void> {
  await askChat({ kind: 'again', id: uuidv7(), channelId, mId, modelId, isLost: isLost(mId) })
}

/**
 * Continues an interrupted answer, unless credits are missing. `prompt`: the request to continue, in the person's
 * language.
 */
export async function continueMessage(channelId: string, mId: string, prompt: string): Promise<void> {
  await askChat({ kind: 'continue', id: uuidv7(), channelId, mId, prompt, isLost: isLost(mId) })
}
