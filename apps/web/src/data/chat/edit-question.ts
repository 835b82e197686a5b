import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import { ensureCredits } from '../credits/shortage-state'
import { scoped } from '../scope/scope'
import { instead } from './interrupt'
import { messageWithContext, requireBranchable } from './message-context'
import { noteEdit } from './shown-branch'
import { startExchange } from './start-run'

/** The questions whose edited texts are being sent. */
const editsInFlight = scoped(() => new Set<string>())

/**
 * Asks an edited question beside the one that it was: another version of it, which follows the same answer and is told
 * the same path. The head moves to it; the one before stays with all that followed it. An answer that is being written
 * in the channel is stopped. Answers the id of the new message; undefined where the text is empty or the same, or
 * credits are missing. Throws AppError, chat.version-gone where what the question follows was deleted: then nothing was
 * sent.
 */
export async function editQuestion(channelId: string, mId: string, text: string): Promise<string | undefined> {
  const question = text.trim()
  const sending = editsInFlight()
  if (question === '' || sending.has(mId)) return undefined
  if (question.length > limits.chat.maxQuestionLength) throw new AppError('chat.too-large')
  sending.add(mId)
  try {
    if (!(await ensureCredits())) return undefined
    return await noteEdit(channelId, () => instead(channelId, () => askBeside(channelId, mId, question)))
  } finally {
    sending.delete(mId)
  }
}

async function askBeside(channelId: string, mId: string, question: string): Promise<string | undefined> {
  const { message, before, channel } = await messageWithContext(channelId, mId)
  if (message.author !== undefined) throw new AppError('channel.not-author')
  if (channel.role === 'read') throw new AppError('channel.read-only')
  if (message.error?.code.startsWith('storage.')) throw new AppError('storage.unreadable')
  if (question === message.chat_request.trim()) return undefined
  await requireBranchable(channel)
  // The server has not stored the question yet, so that what it follows is unknown.
  if (message.afterRunId === undefined) throw new AppError('channel.answering')
  const newId = uuidv7()
  try {
    await startExchange(channel, {
      mId: newId,
      question,
      files: message.files,
      path: before,
      afterRunId: message.afterRunId,
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw new AppError('chat.version-gone')
    throw error
  }
  return newId
}
