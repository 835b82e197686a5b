// Sources in a file: what is checked of them before anything of theirs is read.
import { limits } from '@parley/contract/limits/shared'
import { ReadDocument } from '@parley/contract/read-document'
import { Source } from '@parley/contract/sources'
import { isSafeKey } from '@parley/contract/transfer'
import * as z from 'zod/mini'
import type { SourceCopy } from '../sources/source-copies'

const { progress: _progress, ...fields } = Source.shape
const safeId = z.string().check(z.minLength(1), z.maxLength(200), z.refine(isSafeKey))

/** An item of the list `documents`. `entry`: the entry of the zip with its file, or its text. */
export const FileSource = z.object({
  ...fields,
  id: safeId,
  channelId: safeId,
  name: z.string().check(z.maxLength(2_000)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int().check(z.nonnegative(), z.maximum(limits.sources.maxFileBytes)),
  url: z.optional(z.string().check(z.maxLength(limits.sources.maxUrlLength), z.regex(/^https?:\/\//i))),
  notices: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
  kind: z.literal('source'),
  entry: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
})
export type FileSource = z.infer<typeof FileSource>

/** Undefined for what is no source or none that can be read. */
export function fileSourceOf(value: unknown): FileSource | undefined {
  const { data } = z.safeParse(FileSource, value)
  if (!data || (data.type === 'document') === (data.url !== undefined)) return undefined
  return { ...data, name: cleanName(data.name) }
}

/** A name without a path and without what shows itself as something else. */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()
  const ending = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? ''
  return `${clean.slice(0, clean.length - ending.length).slice(0, limits.sources.maxNameLength - ending.length)}${ending}`
}

/**
 * Reads an entry of the file. Throws transfer.invalid, transfer.damaged, transfer.incomplete and transfer.too-large.
 */
export type ReadEntry = (name: string, maxBytes: number) => Promise<Blob>

/** A source of a file on its way into a home, which reads it anew; of a website the text comes along. */
export function copyOfFileSource({ kind: _kind, entry, ...given }: FileSource, read: ReadEntry): SourceCopy {
  const { reason: _reason, ...source } = given
  const { maxFileBytes } = limits.sources
  if (entry === undefined)
    // A file makes nobody's browser ask for an address: the person does, by trying again.
    return { source: { ...source, status: 'failed', reason: 'source.cancelled' } }
  if (source.type === 'document')
    return { source: { ...source, status: 'queued' }, file: () => read(entry, Math.min(source.bytes, maxFileBytes)) }
  const text = async () => z.parse(ReadDocument, JSON.parse(await (await read(entry, maxFileBytes)).text()))
  return { source: { ...source, status: 'queued' }, text }
}
