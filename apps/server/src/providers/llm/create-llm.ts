import type { Model } from '@parley/contract/models'
import type { FastifyBaseLogger } from 'fastify'
import type { Egress } from '../egress'
import type { ChatRequest, LlmEvent, LlmProvider } from '../llm'
import { GatewayProvider } from './gateway-provider'
import { findLocalServer } from './local-servers'
import { OfflineProvider } from './offline-provider'

export const openRouter = 'https://openrouter.ai/api/v1'
const defaultModel = 'meta-llama/llama-3.1-8b-instruct'
const lookAgainMs = 30_000

type Options = {
  baseUrl: string | undefined
  apiKey: string | undefined
  defaultModel: string | undefined
  egress: Egress
  log: FastifyBaseLogger
  /** Where to look for model servers of this machine; the usual places unless said. */
  localAddresses?: readonly string[]
}

/** The configured gateway, else a model server of this machine, else the built-in text. */
export async function createLlm({
  baseUrl,
  apiKey,
  egress,
  log,
  localAddresses,
  ...wanted
}: Options): Promise<LlmProvider> {
  const wantedModel = wanted.defaultModel ?? defaultModel
  if (baseUrl === undefined && apiKey === undefined)
    return LocalProvider.start(wantedModel, egress, log, localAddresses)
  const address = baseUrl ?? openRouter
  const isOpenRouter = new URL(address).hostname.endsWith('openrouter.ai')
  const service = egress.service({
    baseUrl: address,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  })
  return new GatewayProvider({ kind: 'gateway', service, asksForCost: isOpenRouter, wantedModel, log })
}

/** Whoever starts Ollama later gets it without a restart: while there is none, it is looked for again. */
class LocalProvider implements LlmProvider {
  private current: LlmProvider = new OfflineProvider()
  private lookedAt = 0

  private constructor(
    private readonly wantedModel: string,
    private readonly egress: Egress,
    private readonly log: FastifyBaseLogger,
    private readonly addresses: readonly string[] | undefined,
  ) {}

  static async start(
    wantedModel: string,
    egress: Egress,
    log: FastifyBaseLogger,
    addresses: readonly string[] | undefined,
  ): Promise<LocalProvider> {
    const provider = new LocalProvider(wantedModel, egress, log, addresses)
    await provider.look()
    setInterval(() => void provider.lookIfDue(), lookAgainMs).unref()
    return provider
  }

  get kind(): LlmProvider['kind'] {
    return this.current.kind
  }

  get defaultModel(): string {
    return this.current.defaultModel
  }

  async models(): Promise<Model[]> {
    await this.lookIfDue()
    return this.current.models()
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    await this.lookIfDue()
    // The question may have been asked while another model was the default.
    const known = await this.current.models()
    const model = known.some(({ id }) => id === request.model) ? request.model : this.current.defaultModel
    yield* this.current.chat({ ...request, model }, signal)
  }

  private async lookIfDue(): Promise<void> {
    if (this.current.kind === 'offline' && Date.now() - this.lookedAt >= lookAgainMs) await this.look()
  }

  private async look(): Promise<void> {
    this.lookedAt = Date.now()
    const found = await findLocalServer(this.egress, this.addresses)
    if (found)
      this.current = new GatewayProvider({
        kind: 'local',
        asksForCost: false,
        wantedModel: this.wantedModel,
        log: this.log,
        ...found,
      })
  }
}
