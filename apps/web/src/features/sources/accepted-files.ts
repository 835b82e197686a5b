import { sourceExtensions } from '@parley/contract/limits/sources'

const { specified, more, code } = sourceExtensions

/** What a file chooser offers (ST-129, and what people expect beside it). */
export const acceptedFiles = [...specified, ...more, ...code].map((extension) => `.${extension}`).join()
