import type { Model } from '@parley/contract/models'
import type { Egress, Service } from '../egress'
import { fetchModels } from './model-list'

/** Where model servers listen by default: Ollama, LM Studio, llama.cpp. */
const addresses = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1', 'http://127.0.0.1:8080/v1']
const probeMs = 400

/** The first model server on this machine that has a model, in the order above. */
export async function findLocalServer(
  egress: Egress,
  candidates: readonly string[] = addresses,
): Promise<{ service: Service; models: Model[] } | undefined> {
  const found = await Promise.all(
    candidates.map(async (baseUrl) => {
      const service = egress.service({ baseUrl })
      const models = await fetchModels(service, { areFree: true, timeoutMs: probeMs }).catch(() => [])
      return models.length > 0 ? { service, models } : undefined
    }),
  )
  return found.find((server) => server !== undefined)
}
