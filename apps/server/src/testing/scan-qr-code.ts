import jsqr from 'jsqr'
import sharp from 'sharp'

/** What a phone's camera reads in a picture; undefined without a code. */
export async function scanQrCode(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  // A CommonJS module: how its function arrives depends on who loads it.
  const read = 'default' in jsqr ? (jsqr.default as unknown as typeof jsqr) : jsqr
  return read(new Uint8ClampedArray(data), info.width, info.height)?.data
}
