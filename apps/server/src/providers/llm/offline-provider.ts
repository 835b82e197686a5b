import { setTimeout as delay } from 'node:timers/promises'
import { fullLanguageOf } from '@parley/contract/languages'
import type { Model } from '@parley/contract/models'
import type { ChatRequest, LlmEvent, LlmProvider } from '../llm'
import { offlineTexts } from './offline-texts'

const id = 'parley/offline'
const pieceMs = 12

/** Answers when no model is connected: it says so, and how to connect one. */
export class OfflineProvider implements LlmProvider {
  readonly kind = 'offline'
  readonly defaultModel = id

  async models(): Promise<Model[]> {
    return [{ id, name: 'No model connected', free: true }]
  }

  async *chat({ language }: ChatRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    for (const piece of offlineTexts[fullLanguageOf(language)].match(/(?:\s*\S+){1,3}/g) ?? []) {
      if (signal.aborted) return
      yield { type: 'text', text: piece }
      await delay(pieceMs, undefined, { signal }).catch(() => undefined)
    }
    yield { type: 'finish', reason: 'stop' }
  }
}
