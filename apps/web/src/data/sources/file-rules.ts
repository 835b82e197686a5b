import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { sourceExtensions } from '@parley/contract/limits/sources'

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

const readable: ReadonlySet<string> = new Set(Object.values(sourceExtensions).flat())

/** Throws source.type, source.empty and source.too-large before anything is read. */
export function assertAcceptable({ name, size }: Pick<File, 'name' | 'size'>): void {
  if (!readable.has(extensionOf(name))) throw new AppError('source.type')
  if (size === 0) throw new AppError('source.empty')
  if (size > limits.sources.maxFileBytes) throw new AppError('source.too-large')
}

export const mediaTypeOf = ({ type }: Pick<File, 'type'>): string => type || 'application/octet-stream'
