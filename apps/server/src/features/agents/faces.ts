// Drawn faces: the same seed is the same face for ever, without a call to anywhere.
import { createHash, randomBytes } from 'node:crypto'
import { createAvatar } from '@dicebear/core'
import * as thumbs from '@dicebear/thumbs'
import { limits } from '@parley/contract/limits'

const seedForm = new RegExp(`^[A-Za-z0-9_-]{1,${limits.agents.maxFaceSeed}}$`)
const pathForm = new RegExp(`^/api/faces/([A-Za-z0-9_-]{1,${limits.agents.maxFaceSeed}})\\.svg$`)

/** The address of a face. A seed that an address cannot hold is replaced by its digest. */
export function facePath(seed: string): string {
  const name = seedForm.test(seed) ? seed : createHash('sha256').update(seed).digest('base64url').slice(0, limits.agents.maxFaceSeed)
  return `/api/faces/${name}.svg`
}

/** The same face as dots: who shows a link draws no SVG. Any other picture is what it is. */
export const facePng = (path: string): string => (isFacePath(path) ? path.replace(/\.svg$/, '.png') : path)

export const isFacePath = (path: string): boolean => pathForm.test(path)

/** Addresses of faces that nobody has seen before. */
export function newFaces(count: number): string[] {
  return Array.from({ length: count }, () => facePath(randomBytes(12).toString('base64url')))
}

/** The SVG of a file name such as `abc.svg`; undefined for what is no name of a face. */
export function drawFace(fileName: string): string | undefined {
  const [, seed] = pathForm.exec(`/api/faces/${fileName}`) ?? []
  if (seed === undefined) return undefined
  return createAvatar(thumbs, { seed, size: limits.agents.pictureSize, shapeColor: colors, backgroundColor: backgrounds }).toString()
}

/** Strong on light: to be told apart in a list. */
const colors = ['0a5b83', '1c799f', '69558e', 'b3446c', 'c2571a', '2f7d5b', '8a6d1d', '4d5fc1']
const backgrounds = ['d9ecf5', 'e6e0f2', 'f7dfe8', 'fbe5d6', 'dcefe5', 'f4ecd2', 'e0e4f8']
