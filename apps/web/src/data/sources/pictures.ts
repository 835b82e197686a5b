// Which of a channel's pictures go along with a question to a model that sees pictures.
import { limits } from '@parley/contract/limits/shared'
import type { Source } from '@parley/contract/sources'

export const isPicture = ({ mediaType }: Pick<Source, 'mediaType'>): boolean => mediaType.startsWith('image/')

/** The newest ones of a list that begins with the oldest. */
export const picturesToSend = <T>(pictures: readonly T[]): T[] => pictures.slice(-limits.sources.maxSentPictures)

/** How long one of so many may be in base64. */
export const pictureLength = (count: number): number => Math.floor(limits.sources.maxPicturesBytes / Math.max(1, count))
