import { type Model, modelParameters } from '@parley/contract/models'
import { areNothing, parsePrices } from '@parley/contract/money'
import * as z from 'zod/mini'
import type { Service } from '../egress'

const words = z.catch(z.optional(z.string()), undefined)
const kinds = z.catch(z.optional(z.array(z.string())), undefined)
// What is there and is no price must not pass for one that is not asked.
const price = z.catch(
  z.optional(
    z.pipe(
      z.nullable(z.union([z.string(), z.number()])),
      z.transform((value) => (value === null ? undefined : String(value))),
    ),
  ),
  'unknown',
)

const ListedModel = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  name: words,
  description: words,
  architecture: z.catch(
    z.optional(
      z.object({
        tokenizer: words,
        instruct_type: z.catch(z.optional(z.nullable(z.string())), undefined),
        modality: words,
        input_modalities: kinds,
        output_modalities: kinds,
      }),
    ),
    undefined,
  ),
  pricing: z.catch(z.optional(z.object({ prompt: price, completion: price, request: price })), undefined),
  context_length: z.catch(z.optional(z.int()), undefined),
  supported_parameters: kinds,
  top_provider: z.catch(
    z.optional(z.object({ max_completion_tokens: z.catch(z.optional(z.int().check(z.positive())), undefined) })),
    undefined,
  ),
})

const known: ReadonlySet<string> = new Set(modelParameters)

const List = z.object({ data: z.array(z.unknown()) })

/** The models of a gateway in our own form. What has no id is left out; local servers know little more than ids. */
export async function fetchModels(
  service: Service,
  options: { areFree: boolean; timeoutMs: number },
): Promise<Model[]> {
  const response = await service('models', { signal: AbortSignal.timeout(options.timeoutMs) })
  const text = await response.text()
  if (!response.isOk) throw new Error(`the model list answered ${response.status}`)
  const list = z.parse(List, JSON.parse(text))
  return list.data.flatMap((entry) => {
    const model = z.safeParse(ListedModel, entry)
    return model.success ? [normalise(model.data, options.areFree)] : []
  })
}

function normalise(
  { id, name, description, architecture, pricing, context_length, top_provider, ...rest }: z.infer<typeof ListedModel>,
  areFree: boolean,
): Model {
  const parameters = rest.supported_parameters?.filter((parameter) => known.has(parameter))
  const prices = parsePrices(pricing)
  return {
    id,
    name: name ?? id,
    ...(description === undefined ? {} : { description }),
    ...(architecture === undefined ? {} : { architecture: architectureOf(architecture) }),
    ...(pricing === undefined ? {} : { pricing: defined(pricing) }),
    ...(context_length === undefined ? {} : { contextTokens: context_length }),
    ...(top_provider?.max_completion_tokens === undefined
      ? {}
      : { maxOutputTokens: top_provider.max_completion_tokens }),
    ...(parameters === undefined ? {} : { parameters }),
    // A name promises nothing where a price stands beside it.
    free:
      areFree ||
      (prices ? areNothing(prices) : id.endsWith(':free') && Object.keys(defined(pricing ?? {})).length === 0),
  }
}

/**
 * Newer gateways name what goes in and what comes out one by one; the older form, such as text+image->text, says the
 * same.
 */
function architectureOf({
  input_modalities: into,
  output_modalities: out,
  ...architecture
}: NonNullable<z.infer<typeof ListedModel>['architecture']>) {
  const modality =
    architecture.modality ?? (into && into.length > 0 ? `${into.join('+')}->${out?.join('+') || 'text'}` : undefined)
  return defined({ ...architecture, modality })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>
}
