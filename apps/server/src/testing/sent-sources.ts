import { deflateRawSync } from 'node:zlib'
import type { SentPassage, SentSource } from '@parley/contract/sent-sources'

/** A source as the question of a device carries it. */
export const aSentSource = (
  fileId: string,
  passages: readonly (string | SentPassage)[],
  fields: Partial<SentSource> = {},
): SentSource => ({
  ...{ fileId, name: `${fileId}.pdf`, mediaType: 'application/pdf', bytes: 9, pages: 34, reading: 'whole' },
  of: passages.length,
  passages: passages.map((passage, index) =>
    typeof passage === 'string' ? { n: index + 1, text: passage, page: index + 1 } : passage,
  ),
  ...fields,
})

/** The field `compressedDocuments`. */
export const compressed = (sources: unknown): string => compressedText(JSON.stringify({ v: 1, sources }))
export const compressedText = (text: string | Uint8Array): string => deflateRawSync(text).toString('base64')

/** What sees pictures, as a gateway lists it. */
export const seer = {
  ...{ id: 'stand-in/seer', name: 'Seer', context_length: 131_072 },
  pricing: { prompt: '0.000001', completion: '0.000002' },
  architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
}
