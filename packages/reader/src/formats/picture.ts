import type { Reading } from '../reading'

/** The text in a picture. Without OCR there is none: a model that sees may still look at it. */
export async function readPicture(bytes: Uint8Array, reading: Reading, mediaType: string): Promise<void> {
  const { ocr, signal } = reading.options
  if (!ocr) return
  for (const { text } of await ocr.recognise({ bytes, mediaType }, signal)) reading.add({ kind: 'paragraph', text })
  if (!reading.isEmpty) reading.notices.add('from-picture')
}
