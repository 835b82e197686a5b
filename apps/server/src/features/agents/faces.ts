// Drawn faces. The same seed always draws the same face, without a network call.
import { createHash, randomBytes } from 'node:crypto'
import { createAvatar } from '@dicebear/core'
import * as thumbs from '@dicebear/thumbs'
import { serverLimits } from '@parley/contract/limits/server'

const seedForm = new RegExp(`^[A-Za-z0-9_-]{1,${serverLimits.agents.maxFaceSeed}}$`)
const pathForm = new RegExp(`^/api/faces/([A-Za-z0-9_-]{1,${serverLimits.agents.maxFaceSeed}})\\.svg$`)

/** The path of a face. A seed that is not URL-safe is replaced by its digest. */
export function facePath(seed: string): string {
  const name = seedForm.test(seed)
    ? seed
    : createHash('sha256').update(seed).digest('base64url').slice(0, serverLimits.agents.maxFaceSeed)
  return `/api/faces/${name}.svg`
}

/** The PNG of the same face, because link previews show no SVG. Any other path stays as it is. */
export const facePng = (path: string): string => (isFacePath(path) ? path.replace(/\.svg$/, '.png') : path)

export const isFacePath = (path: string): boolean => pathForm.test(path)

/** Paths of faces with random seeds. */
export function randomFaces(count: number): string[] {
  return Array.from({ length: count }, () => facePath(randomBytes(12).toString('base64url')))
}

/** The SVG for a file name such as `abc.svg`; undefined for any other name. */
export function drawFace(fileName: string): string | undefined {
  const [, seed] = pathForm.exec(`/api/faces/${fileName}`) ?? []
  if (seed === undefined) return undefined
  return createAvatar(thumbs, {
    seed,
    size: serverLimits.agents.pictureSize,
    shapeColor: colors,
    backgroundColor: backgrounds,
  }).toString()
}

/** Saturated shapes on light backgrounds, easy to tell apart in a list. */
const colors = ['0a5b83', '1c799f', '69558e', 'b3446c', 'c2571a', '2f7d5b', '8a6d1d', '4d5fc1']
const backgrounds = ['d9ecf5', 'e6e0f2', 'f7dfe8', 'fbe5d6', 'dcefe5', 'f4ecd2', 'e0e4f8']
