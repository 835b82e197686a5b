import { bounds } from './bounds'

/**
 * How many pixels wide and high a BMP is. Throws where that is not credible: its decoder takes the header's word for
 * it.
 */
export function sizeOfBmp(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = Math.abs(view.getInt32(18, true))
  const height = Math.abs(view.getInt32(22, true))
  const bits = view.getUint16(28, true)
  const isCompressed = view.getUint32(30, true) === 1 || view.getUint32(30, true) === 2
  const stored = (width * height * bits) / 8
  if (width === 0 || height === 0 || width * height > bounds.maxPixels) throw new Error('no credible size')
  if (!isCompressed && stored > bytes.length) throw new Error('cut off')
  return { width, height }
}
