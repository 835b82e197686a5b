// Another run of a question that was asked: an answer in place of the one that stands, or the rest of it.

import { answerOf, fieldsBefore, partsBefore } from '@parley/contract/answer-parts'
import type { Channel } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { questionOf } from '@parley/contract/context'
import { uuidv7 } from '@parley/contract/uuid'
import { ensureCredits } from '../credits/shortage-state'
import { requestModelId } from '../models/chosen-model'
import { scoped } from '../scope/scope'
import { instead } from './interrupt'
import { isLost } from './live-chat'
import { type MessageContext, messageWithContext, requireBranchable } from './message-context'
import { dropAnswers } from './send-message'
import { agentOf, startRun } from './start-run'

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
  await rerun(channelId, mId, async ({ message, before, channel }) => {
    await requireBranchable(channel, mId)
    const { model: _model, ...rest } = message
    const asked = modelId === undefined ? rest : { ...rest, model: modelId }
    const run = { messageId: uuidv7(), seq: 0, base: 0, ...previousOf(message) }
    return instead(channelId, () =>
      startRun(resetAnswer(asked, channel, { content: '', run }), channel, {
        question: message.chat_request,
        path: before,
        suggestName: false,
        modelId,
      }),
    )
  })
}

/**
 * Continues an interrupted answer, unless credits are missing. `prompt`: the request to continue, in the person's
 * language.
 */
export async function continueMessage(channelId: string, mId: string, prompt: string): Promise<void> {
  await rerun(channelId, mId, ({ message, before, channel }) => {
    const { content } = message.chat_response
    const run = {
      messageId: uuidv7(),
      seq: 0,
      base: content.length,
      question: prompt,
      ...(message.usage ? { used: message.usage } : {}),
      ...fieldsBefore(message),
      ...previousOf(message),
    }
    const messages = [
      { role: 'user' as const, content: questionOf(message) },
      { role: 'assistant' as const, content },
    ]
    return startRun(resetAnswer(message, channel, { content, run }), channel, {
      question: prompt,
      path: [...before, { mId, messages }],
      suggestName: false,
    })
  })
}

/** The ids of messages that are being sent again. */
const rerunsInFlight = scoped(() => new Set<string>())

/** Two clicks must cause one question and one charge: the second may come before the first has changed the screen. */
async function rerun(channelId: string, mId: string, ask: (found: MessageContext) => Promise<void>): Promise<void> {
  const rerunning = rerunsInFlight()
  if (rerunning.has(mId)) return
  rerunning.add(mId)
  // Read now, as the person saw it: the connection may be back a moment later.
  const wasLost = isLost(mId)
  try {
    if (!(await ensureCredits())) return
    const found = await messageWithContext(channelId, mId)
    if (isOver(found.message)) return await ask(found)
    if (!wasLost) return
    // The run that waits for the connection is abandoned, and its partial text counts as an interrupted answer.
    await dropAnswers(channelId, mId)
    await ask({ ...found, message: { ...found.message, status: 'interrupted' } })
  } finally {
    rerunning.delete(mId)
  }
}

/** The previous answer is stored with the run, in the cloud too: the page may be closed when the run ends. */
function previousOf(message: Message): Pick<NonNullable<Message['run']>, 'previous'> {
  const previous = answerOf(message)
  return previous ? { previous } : {}
}

function resetAnswer(
  {
    error: _error,
    empty: _empty,
    assistantId: _assistant,
    usage: _usage,
    finishReason: _reason,
    durationMs: _ms,
    reasoning: _reasoning,
    read: _read,
    sources: _sources,
    ...message
  }: Message,
  channel: Channel,
  { content, run }: { content: string; run: NonNullable<Message['run']> },
): Message {
  return {
    ...{ ...message, ...agentOf(channel), chat_response: { role: 'assistant', content }, status: 'queued', run },
    ...partsBefore(run),
  }
}
