import type { ScannedLine } from '@parley/contract/read-document'

/** An encoded picture: png, jpeg, webp, bmp or gif. */
export type Picture = { bytes: Uint8Array; mediaType: string }

/** A paragraph of a picture, and its lines where they stand in it. */
export type RecognisedParagraph = { text: string; lines: ScannedLine[] }

/** Reads the text in pictures. What differs between browser and Node is behind it: `browser-ocr.ts`, `node-ocr.ts`. */
export type Ocr = {
  /** Paragraphs, in reading order. Throws `source.damaged` where the picture cannot be decoded. */
  recognise(picture: Picture, signal?: AbortSignal): Promise<RecognisedParagraph[]>
  /** Frees its worker. It starts again with the next picture. */
  end(): Promise<void>
}
