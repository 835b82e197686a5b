import { limits } from '@parley/contract/limits/shared'

const { specified, more, code } = limits.sources.extensions

/** What a file chooser offers (ST-129, and what people expect beside it). */
export const acceptedFiles = [...specified, ...more, ...code].map((extension) => `.${extension}`).join()
