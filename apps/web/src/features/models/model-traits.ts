import type { Model } from '@parley/contract/models'

type Traits = {
  /** It accepts pictures in questions. */
  readsImages: boolean
  /** It can answer with pictures. */
  makesImages: boolean
  isForCode: boolean
  isForChat: boolean
}

/** The capabilities of a model, derived from its id, name and modality (`text+image->text`). */
export function traitsOf({ id, name, architecture }: Model): Traits {
  const [input = '', output = 'text'] = architecture?.modality?.split('->') ?? []
  const isForCode = /\bcod(?:e|er|ex|ing|estral|ellama|eqwen|egemma)\b|coder|devstral|starcoder/i.test(`${id} ${name}`)
  return {
    readsImages: input.includes('image'),
    makesImages: output.includes('image'),
    isForCode,
    isForChat: !isForCode && output.includes('text'),
  }
}
