import { type ChatSettings, requestSettings } from '@parley/contract/chat-settings'
import { type ModelWindow, windowOf } from '@parley/contract/context'
import type { Model } from '@parley/contract/models'
import { readModelsCache } from './models-cache'

/** A model as the last list of models tells it; undefined where that does not name it. */
export const knownModel = (modelId: string | undefined): Model | undefined =>
  modelId === undefined ? undefined : readModelsCache()?.models.find(({ id }) => id === modelId)

/** The window of a model for answers with these settings; undefined where the last list does not name the model. */
export function knownWindow(modelId: string | undefined, settings: ChatSettings = {}): ModelWindow | undefined {
  const model = knownModel(modelId)
  return model && windowOf(model, requestSettings(settings, model).maxTokens)
}
