import type { AgentLanguage } from '@parley/contract/agents'
import { type ContextMessage, ServerFrame } from '@parley/contract/chat'
import { type AgentTrial, chatTryRoutes } from '@parley/contract/chat-try'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import * as z from 'zod/mini'
import { apiEvents } from '../api/event-stream'
import { chosenModelId } from '../models/chosen-model'
import type { AgentForm } from './agent-form'

/** An answer while it is streamed. `problem`: why it ended early, in the person's language. */
export type TrialAnswer = { text: string; problem: string | undefined; isOver: boolean }

/**
 * Sends a question to the draft and yields the growing answer. Failures before the first word throw an AppError; an
 * abort ends the stream.
 */
export async function* tryAgent(trial: AgentTrial, signal: AbortSignal): AsyncGenerator<TrialAnswer> {
  let answer: TrialAnswer = { text: '', problem: undefined, isOver: false }
  for await (const event of apiEvents(chatTryRoutes.ask, { body: trial, signal })) {
    const frame = z.safeParse(ServerFrame, event)
    // A frame of a newer server, which this client does not need.
    if (!frame.success) continue
    const next = applyTrialFrame(answer, frame.data)
    if (next === answer) continue
    answer = next
    yield answer
    if (answer.isOver) return
  }
  // The stream ended early: the text that arrived stays.
  throw new AppError(answer.text === '' ? 'network' : 'chat.interrupted')
}

function applyTrialFrame(answer: TrialAnswer, frame: ServerFrame): TrialAnswer {
  switch (frame.event) {
    case 'content':
      return { ...answer, text: answer.text + frame.content }
    case 'snapshot':
      return { ...answer, text: frame.content }
    case 'end':
    case 'stopped':
      return { text: frame.message.chat_response.content, problem: undefined, isOver: true }
    case 'error':
    case 'error-openrouter':
    case 'no-credits':
      return { ...answer, problem: frame.content, isOver: true }
    default:
      return answer
  }
}

/** The request: the draft, and as many of the newest messages as fit. `language`: used where the draft has none yet. */
export function trialOf(form: AgentForm, said: readonly ContextMessage[], language: AgentLanguage): AgentTrial {
  const model = chosenModelId()
  return {
    name: form.name.trim(),
    role: form.role.trim(),
    prompt: form.prompt,
    knowledge: form.knowledge,
    ...(form.files === undefined ? {} : { knowledgeFiles: [...form.files] }),
    language: form.language ?? language,
    ...(model === undefined ? {} : { model }),
    messages: newestFitting(said),
  }
}

/** The question, and the newest whole exchanges before it that fit the limit. */
function newestFitting(said: readonly ContextMessage[]): ContextMessage[] {
  const kept = said.slice(-1)
  let left: number = webLimits.agents.maxTrialContext
  for (let at = said.length - 3; at >= 0 && kept.length + 2 <= limits.chat.maxContextMessages; at -= 2) {
    const exchange = said.slice(at, at + 2)
    left -= exchange.reduce((length, { content }) => length + content.length, 0)
    if (left < 0) break
    kept.unshift(...exchange)
  }
  return kept
}
