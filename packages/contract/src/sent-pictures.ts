import * as z from 'zod/mini'
import { limits } from './limits/shared'

/** A picture as a question to a model that sees pictures carries it, in base64. */
export const SentPicture = z.object({
  fileId: z.string().check(z.minLength(1), z.maxLength(200)),
  mediaType: z.enum(['image/jpeg', 'image/png', 'image/webp']),
  data: z.string().check(z.minLength(1), z.maxLength(limits.sources.maxPicturesBytes)),
})
export type SentPicture = z.infer<typeof SentPicture>
