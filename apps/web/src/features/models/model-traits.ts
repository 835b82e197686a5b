import type { Model } from '@parley/contract/models'

type Traits = {
  /** Pictures can be part of the question. */
  readsImages: boolean
  /** It can answer with pictures. */
  makesImages: boolean
  isForCode: boolean
  isForChat: boolean
}

/** What a model is good for, as far as its id, its name and its modality (`text+image->text`) tell. */
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
