import { bounds } from './bounds'

/** A BMP whose size is credible: its decoder takes the header's word for it. Throws otherwise. */
export function checkedBmp(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = Math.abs(view.getInt32(18, true))
  const height = Math.abs(view.getInt32(22, true))
  const bits = view.getUint16(28, true)
  const isCompressed = view.getUint32(30, true) === 1 || view.getUint32(30, true) === 2
  const stored = (width * height * bits) / 8
  if (width === 0 || height === 0 || width * height > bounds.maxPixels) throw new Error('no credible size')
  if (!isCompressed && stored > bytes.length) throw new Error('cut off')
  return bytes
}
