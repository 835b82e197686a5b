// A picture as a question carries it: drawn anew, so that it is small, and without what a camera writes beside it, such
// as where it was taken.
import { limits } from '@parley/contract/limits/shared'
import type { SentPicture } from '@parley/contract/sent-pictures'
import { base64Of } from './base64'

export type ScaledPicture = Omit<SentPicture, 'fileId'>

/** In WebP where the browser writes it, else in JPEG; the second one where the first is too much. */
const qualities = [0.8, 0.55]
/** A side that has so few pixels shows nothing any more. */
const leastPixels = 64

/**
 * The picture with its longer side within `limits.sources.maxPicturePixels`, in base64 of at most so many characters;
 * null where the browser cannot draw it, or not so small.
 */
export async function scaledPicture(file: Blob, maxLength: number): Promise<ScaledPicture | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  try {
    const longer = Math.max(bitmap.width, bitmap.height)
    const maxBytes = Math.floor(maxLength / 4) * 3
    let pixels = Math.min(longer, limits.sources.maxPicturePixels)
    while (pixels >= Math.min(longer, leastPixels)) {
      const canvas = drawn(bitmap, pixels / longer)
      if (!canvas) return null
      let bytes = 0
      for (const quality of qualities) {
        const blob = await encoded(canvas, quality)
        if (blob.size <= maxBytes)
          return { mediaType: blob.type as ScaledPicture['mediaType'], data: await base64Of(blob) }
        bytes = blob.size
      }
      // As many pixels as are likely to fit, and a little fewer.
      pixels = Math.floor(pixels * Math.max(0.4, Math.min(0.85, 0.95 * Math.sqrt(maxBytes / bytes))))
    }
    return null
  } finally {
    bitmap.close()
  }
}

function drawn(bitmap: ImageBitmap, scale: number): OffscreenCanvas | undefined {
  const size = (length: number): number => Math.max(1, Math.round(length * scale))
  const canvas = new OffscreenCanvas(size(bitmap.width), size(bitmap.height))
  const context = canvas.getContext('2d')
  if (!context) return undefined
  // JPEG would show what is transparent in black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}

async function encoded(canvas: OffscreenCanvas, quality: number): Promise<Blob> {
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
  return blob.type === 'image/webp' ? blob : canvas.convertToBlob({ type: 'image/jpeg', quality })
}
