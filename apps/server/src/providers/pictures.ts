// The only place that decodes pictures of strangers.
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import sharp from 'sharp'

// Nothing of a picture stays in memory after it is written, and one is decoded at a time: forty million pixels are 160
// MB.
sharp.cache(false)
let last: Promise<unknown> = Promise.resolve()

/**
 * A picture written anew: the middle square, upright, WebP, without place, camera, comments, profiles, further frames
 * or anything else that was in the file. Throws picture.type, picture.dimensions, picture.damaged.
 */
export function squarePicture(file: Buffer): Promise<Buffer> {
  const turn = last.then(() => rewrite(file))
  last = turn.catch(() => undefined)
  return turn
}

/** A drawing of this server's own as a picture. */
export function drawnPicture(svg: string): Promise<Buffer> {
  const { pictureSize: size } = serverLimits.agents
  return sharp(Buffer.from(svg)).resize(size, size).webp({ quality: 82 }).toBuffer()
}

/**
 * Lets pass only what `squarePicture` could have written: its bytes are kept as they are. Throws picture.type,
 * picture.dimensions, picture.damaged.
 */
export async function requireOwnKind(file: Buffer): Promise<void> {
  const { pictureSize: size } = serverLimits.agents
  if (formatOf(file) !== 'webp') throw new AppError('picture.type')
  const picture = sharp(file, { limitInputPixels: size * size, failOn: 'error' })
  const found = await picture.metadata().catch((error: unknown) => {
    throw new AppError('picture.damaged', { cause: error })
  })
  if (found.width !== size || found.height !== size || (found.pages ?? 1) > 1) throw new AppError('picture.dimensions')
  if (found.exif || found.xmp || found.icc || found.iptc) throw new AppError('picture.type')
  await picture.stats().catch((error: unknown) => {
    throw new AppError('picture.damaged', { cause: error })
  })
}

type PictureSize = { format: 'jpeg' | 'png' | 'webp' | 'gif'; width: number; height: number }

/** As its header says, without drawing it. Throws picture.type, picture.damaged. */
export async function sizeOfPicture(file: Buffer): Promise<PictureSize> {
  const format = formatOf(file)
  if (!format) throw new AppError('picture.type')
  const found = await sharp(file, { pages: 1 })
    .metadata()
    .catch((error: unknown) => {
      throw new AppError('picture.damaged', { cause: error })
    })
  if (found.format !== format) throw new AppError('picture.type')
  return { format, width: found.width, height: found.height }
}

/**
 * A picture as a model gets it: upright JPEG on white, its longer side scaled down to `maxSide` pixels, without place,
 * camera and whatever else was in the file; of several frames the first. Throws picture.type, picture.dimensions,
 * picture.damaged.
 */
export function scaledPicture(file: Buffer, maxSide: number): Promise<Buffer> {
  const turn = last.then(() => scale(file, maxSide))
  last = turn.catch(() => undefined)
  return turn
}

async function scale(file: Buffer, maxSide: number): Promise<Buffer> {
  const { maxPicturePixels, pictureSeconds } = serverLimits.sources
  const { width, height } = await sizeOfPicture(file)
  if (width * height > maxPicturePixels) throw new AppError('picture.dimensions')
  try {
    return await sharp(file, { limitInputPixels: maxPicturePixels, failOn: 'error', sequentialRead: true, pages: 1 })
      .timeout({ seconds: pictureSeconds })
      .autoOrient()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 82 })
      .toBuffer()
  } catch (error) {
    throw new AppError('picture.damaged', { cause: error })
  }
}

/** A drawing of our own as dots. Never one of a stranger: an SVG is a program that draws. */
export function pngOf(svg: string): Promise<Buffer> {
  const turn = last.then(() => sharp(Buffer.from(svg)).png().toBuffer())
  last = turn.catch(() => undefined)
  return turn
}

async function rewrite(file: Buffer): Promise<Buffer> {
  const { pictureSize: size, maxPicturePixels } = serverLimits.agents
  // Before any library reads it: an SVG is a program that draws, and less common formats have less tested readers.
  const format = formatOf(file)
  if (!format) throw new AppError('picture.type')
  const picture = sharp(file, { limitInputPixels: maxPicturePixels, failOn: 'error', sequentialRead: true, pages: 1 })
  try {
    const found = await picture.metadata()
    if (found.format !== format) throw new AppError('picture.type')
    if (found.width * found.height > maxPicturePixels) throw new AppError('picture.dimensions')
    return await picture
      .autoOrient()
      .resize(size, size, { fit: 'cover', position: 'centre' })
      .webp({ quality: 82 })
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message))
      throw new AppError('picture.dimensions', { cause: error })
    throw new AppError('picture.damaged', { cause: error })
  }
}

/** By the first bytes: what a browser says about a file is worth nothing. */
function formatOf(file: Buffer): 'jpeg' | 'png' | 'webp' | 'gif' | undefined {
  const begins = (text: string, at = 0): boolean => file.toString('latin1', at, at + text.length) === text
  if (begins('\xff\xd8\xff')) return 'jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp'
  if (begins('GIF87a') || begins('GIF89a')) return 'gif'
  return undefined
}
