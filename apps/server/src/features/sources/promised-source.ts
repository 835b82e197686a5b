import type { BroughtSource } from '@parley/contract/brought-sources'
import { fileNameOf } from './file-name'
import { linkOf } from './link'
import type { SourceRow } from './source-store'

/** What is known of a source before its content is there. `url`: of a website or video. */
export type Promised = Pick<SourceRow, 'type' | 'name' | 'mediaType'> & { url?: string }

/** Throws source.type, source.url-invalid. */
export function promisedOf(name: string, source?: BroughtSource): Promised {
  const link = source?.link
  if (!link) {
    const { name: clean, mediaType } = fileNameOf(name)
    return { type: 'document', name: clean, mediaType }
  }
  const { url, type } = linkOf(link.url, link.type)
  const title = name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()
  return { type, name: title || url, mediaType: link.mediaType.replaceAll('\0', ''), url }
}

export function broughtColumns({ isActive = true, addedAt, link }: BroughtSource, now: Date) {
  const past = (time: string): Date => new Date(Math.max(0, Math.min(now.getTime(), Date.parse(time))))
  return {
    isActive,
    ...(addedAt === undefined ? {} : { createdAt: past(addedAt) }),
    ...(link === undefined ? {} : { fetchedAt: past(link.fetchedAt) }),
  }
}
