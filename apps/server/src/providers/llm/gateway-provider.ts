import { serverLimits } from '@parley/contract/limits/server'
import type { Model } from '@parley/contract/models'
import type { FastifyBaseLogger } from 'fastify'
import type { Service } from '../egress'
import type { ChatRequest, LlmEvent, LlmProvider, ReportedUsage } from '../llm'
import { streamChat } from './gateway'
import { readGeneration } from './gateway-chunk'
import { fetchModels } from './model-list'

type Options = {
  kind: 'gateway' | 'local'
  service: Service
  asksForCost: boolean
  wantedModel: string
  models?: Model[]
  log: FastifyBaseLogger
}

/** A gateway, or a model server on this machine: the same protocol. */
export class GatewayProvider implements LlmProvider {
  private list: Model[]
  private fetchedAt: number
  private failedAt = Number.NEGATIVE_INFINITY
  private fetching: Promise<void> | undefined

  constructor(private readonly options: Options) {
    this.list = options.models ?? []
    this.fetchedAt = options.models ? Date.now() : 0
  }

  get kind(): 'gateway' | 'local' {
    return this.options.kind
  }

  /** The configured one when the list has it or cannot be asked; a local server's first one otherwise. */
  get defaultModel(): string {
    const { wantedModel, kind } = this.options
    if (kind === 'gateway' || this.list.some(({ id }) => id === wantedModel)) return wantedModel
    return this.list[0]?.id ?? wantedModel
  }

  async models(): Promise<Model[]> {
    const isStale = Date.now() - this.fetchedAt > serverLimits.upstream.modelsCacheMs
    // A list that hangs holds up one question, not each.
    const isResting = Date.now() - this.failedAt < serverLimits.upstream.modelsRetryMs
    if (isStale && !isResting) {
      this.fetching ??= this.refresh()
      // Whoever has an old list does not wait for the new one.
      if (this.list.length === 0) await this.fetching
    }
    return this.list
  }

  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<LlmEvent> {
    return streamChat(request, signal, this.options)
  }

  async usageOf(generationRef: string): Promise<ReportedUsage | undefined> {
    const signal = AbortSignal.timeout(serverLimits.credits.askCostTimeoutMs)
    const response = await this.options.service(`generation?id=${encodeURIComponent(generationRef)}`, { signal })
    const body = await response.text()
    return response.isOk ? readGeneration(body) : undefined
  }

  private async refresh(): Promise<void> {
    try {
      this.list = await fetchModels(this.options.service, {
        areFree: this.options.kind === 'local',
        timeoutMs: serverLimits.upstream.modelsTimeoutMs,
      })
      this.fetchedAt = Date.now()
    } catch (error) {
      this.failedAt = Date.now()
      this.options.log.warn({ err: error }, 'the model list could not be fetched')
    } finally {
      this.fetching = undefined
    }
  }
}
