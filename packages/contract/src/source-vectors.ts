import * as z from 'zod/mini'
import { vectorLimits } from './limits/sources'
import { route } from './route'

const { maxTexts, maxTextLength, maxCharacters } = vectorLimits
const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

const Texts = z.array(z.string().check(z.minLength(1), z.maxLength(maxTextLength))).check(
  z.minLength(1),
  z.maxLength(maxTexts),
  z.refine((texts) => charactersOf(texts) <= maxCharacters),
)

export const sourceVectorRoutes = {
  embed: route({
    method: 'POST',
    path: '/api/sources/vectors',
    body: z.object({ texts: Texts }),
    response: z.object({
      /** Names what the vectors can be compared with: those of the same key alone. */
      key: z.string(),
      /**
       * One of unit length for each text: its numbers as floats of four bytes, little end first, in base64. Null for a
       * text that the model refuses.
       */
      vectors: z.array(z.nullable(z.string())),
    }),
    summary: 'Makes vectors of texts of a device and keeps nothing of them',
  }),
}
