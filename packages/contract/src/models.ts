import * as z from 'zod/mini'
import { route } from './route'

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  architecture: z.optional(
    z.object({
      tokenizer: z.optional(z.string()),
      instruct_type: z.optional(z.nullable(z.string())),
      modality: z.optional(z.string()),
    }),
  ),
  /** Dollars per token, and per question where it has a price of its own: decimal strings as the gateway gives them. */
  pricing: z.optional(
    z.object({ prompt: z.optional(z.string()), completion: z.optional(z.string()), request: z.optional(z.string()) }),
  ),
  contextTokens: z.optional(z.int()),
  /** The longest answer that it writes. */
  maxOutputTokens: z.optional(z.int()),
  /** What a question may ask of it, as `ModelParameter`; absent where the catalogue does not tell. */
  parameters: z.optional(z.array(z.string())),
  /** No credits are needed: the id ends in `:free`, or every price is 0. */
  free: z.boolean(),
})
export type Model = z.infer<typeof Model>

/** As OpenRouter's catalogue names them. */
export const modelParameters = ['reasoning', 'temperature', 'max_tokens'] as const
type ModelParameter = (typeof modelParameters)[number]

/**
 * Where the catalogue does not tell, a model takes what the protocol has always had: not the effort of its thinking.
 */
export function takesParameter(model: Pick<Model, 'parameters'> | undefined, parameter: ModelParameter): boolean {
  return model?.parameters === undefined ? parameter !== 'reasoning' : model.parameters.includes(parameter)
}

/** Whether a question to it may hold pictures. Where the catalogue does not tell, it may not. */
export function seesPictures(model: Pick<Model, 'architecture'> | undefined): boolean {
  const inputs = model?.architecture?.modality?.split('->')[0]?.split('+') ?? []
  return inputs.includes('image') || inputs.includes('multimodal')
}

export const modelRoutes = {
  list: route({
    method: 'GET',
    path: '/models',
    response: z.object({ data: z.array(Model) }),
    summary: 'The models of this server',
  }),
}
