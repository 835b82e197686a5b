import { setTimeout as delay } from 'node:timers/promises'
import { fullLanguageOf } from '@parley/contract/languages'
import type { Model } from '@parley/contract/models'
import { questionsBefore } from '@parley/contract/question-before'
import type { ChatRequest, LlmEvent, LlmProvider } from '../llm'
import { quotationsFor } from './offline-quotations'
import { offlineTexts } from './offline-texts'

const id = 'parley/offline'
const pieceMs = 12

/**
 * Answers when no model is connected: it says so, quotes the passages of the question's sources that are nearest to it,
 * and tells how to connect a model.
 */
export class OfflineProvider implements LlmProvider {
  readonly kind = 'offline'
  readonly defaultModel = id

  async models(): Promise<Model[]> {
    return [{ id, name: 'No model connected', free: true }]
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    for (const piece of answerTo(request).match(/(?:\s*\S+){1,3}/g) ?? []) {
      if (signal.aborted) return
      yield { type: 'text', text: piece }
      await delay(pieceMs, undefined, { signal }).catch(() => undefined)
    }
    yield { type: 'finish', reason: 'stop' }
  }
}

function answerTo({ language, messages, quoted }: ChatRequest): string {
  const { notConnected, alone, nearest, beginnings, howTo } = offlineTexts[fullLanguageOf(language)]
  const said = messages.slice(0, -1).flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]))
  const { quotations, areNear } = quotationsFor(quoted, questionsBefore([{ messages: said }]))
  if (quotations.length === 0) return `${notConnected}${alone}\n\n${howTo}`
  return [`${notConnected}${areNear ? nearest : beginnings}`, ...quotations, howTo].join('\n\n')
}
