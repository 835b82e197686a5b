import * as z from 'zod/mini'
import { canonicalJson, type Json } from './canonical-json'

/**
 * What a question or an answer consists of, in order. Each kind may get more fields in a later version: a reader keeps
 * the fields that it does not know.
 */
export type TextPart = { type: 'text'; text: string }
/** What the model thought before it answered; never sent back to it, never copied, searched or exported as text. */
export type ReasoningPart = { type: 'reasoning'; text: string; ms: number }
/**
 * A document, website or picture. In a question: it was added with it. In an answer: it was given to the model, and
 * `reading` tells how: `sent` of its `of` passages, or whole, or as a picture.
 */
export type FilePart = {
  type: 'file'
  fileId: string
  name: string
  mediaType: string
  bytes: number
  reading: 'whole' | 'passages' | 'picture'
  pages?: number | undefined
  url?: string | undefined
  sent?: number | undefined
  of?: number | undefined
}
/** A passage that the answer names by its number `n`, of a website or of a file. */
export type SourcePart = {
  type: 'source'
  n: number
  title: string
  url?: string | undefined
  fileId?: string | undefined
  page?: number | undefined
  passage: string
}
export type PicturePart = { type: 'picture'; fileId: string; alt: string }
export type ToolCallPart = { type: 'tool-call'; id: string; name: string; input: Json }
export type ToolResultPart = { type: 'tool-result'; id: string; output: Json; isError: boolean }
/** Something that the product says about the message, such as that only the beginning of a file was read. */
export type NoticePart = { type: 'notice'; code: string }

export type KnownPart =
  | TextPart
  | ReasoningPart
  | FilePart
  | SourcePart
  | PicturePart
  | ToolCallPart
  | ToolResultPart
  | NoticePart

declare const unknownKind: unique symbol
/** A part of a later version. It is kept as it came, and shown as one that needs a newer version. */
export type UnknownPart = { type: string; [unknownKind]: true }

export type Part = KnownPart | UnknownPart

const Count = z.number().check(z.int(), z.nonnegative())
const JsonValue: z.ZodMiniType<Json> = z.json() as z.ZodMiniType<Json>

const schemas: { [T in KnownPart['type']]: z.ZodMiniType<Extract<KnownPart, { type: T }>> } = {
  text: z.looseObject({ type: z.literal('text'), text: z.string() }),
  reasoning: z.looseObject({ type: z.literal('reasoning'), text: z.string(), ms: Count }),
  file: z.looseObject({
    type: z.literal('file'),
    fileId: z.string(),
    name: z.string(),
    mediaType: z.string(),
    bytes: Count,
    reading: z.enum(['whole', 'passages', 'picture']),
    pages: z.optional(Count),
    url: z.optional(z.string()),
    sent: z.optional(Count),
    of: z.optional(Count),
  }),
  source: z.looseObject({
    type: z.literal('source'),
    n: Count,
    title: z.string(),
    url: z.optional(z.string()),
    fileId: z.optional(z.string()),
    page: z.optional(Count),
    passage: z.string(),
  }),
  picture: z.looseObject({ type: z.literal('picture'), fileId: z.string(), alt: z.string() }),
  'tool-call': z.looseObject({ type: z.literal('tool-call'), id: z.string(), name: z.string(), input: JsonValue }),
  'tool-result': z.looseObject({
    type: z.literal('tool-result'),
    id: z.string(),
    output: JsonValue,
    isError: z.boolean(),
  }),
  notice: z.looseObject({ type: z.literal('notice'), code: z.string() }),
}

/** Checked as a part of its own kind. Fields of a later version are kept. */
export const FilePart: z.ZodMiniType<FilePart> = schemas.file
export const SourcePart: z.ZodMiniType<SourcePart> = schemas.source

const isKnownType = (type: string): type is KnownPart['type'] => Object.hasOwn(schemas, type)

/** Whether this version knows the kind of a part, and so its fields. */
export const isKnownPart = (part: Part): part is KnownPart => isKnownType(part.type)

/** A part of a known kind with its fields checked, or a part of a kind that this version does not know: unchanged. */
export const Part: z.ZodMiniType<Part> = z
  .looseObject({ type: z.string().check(z.minLength(1), z.maxLength(60)) })
  .check(
    z.refine((part) => !isKnownType(part.type) || z.safeParse(schemas[part.type], part).success, {
      error: 'a part of a known kind is not whole',
    }),
  ) as unknown as z.ZodMiniType<Part>

/** The parts of a plain text; none for an empty one. */
export const textParts = (text: string): Part[] => (text === '' ? [] : [{ type: 'text', text }])

/**
 * The text of a message: what people copy, search, export and hear, and what document 3 calls `chat_request` and
 * `chat_response.content`. Text parts are joined by a blank line; all other kinds are no text.
 */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n\n')
}

const isTextPart = (part: Part): part is TextPart => part.type === 'text'

/** The spelling of parts that a digest is made of: both ends agree on it, whatever the order of their fields. */
export const canonicalParts = (parts: readonly Part[]): string => canonicalJson(parts as unknown as Json)
