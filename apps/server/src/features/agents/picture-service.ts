import { randomUUID } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus/bus'
import type { ImageMaker } from '../../providers/images'
import { drawnPicture, requireOwnKind, squarePicture } from '../../providers/pictures'
import { drawFace, isFacePath, randomFaces } from './faces'
import { deleteUnused, findPicture, insertPicture, isOwnPicture } from './picture-store'
import type { PictureMaker } from './public/picture-maker'

type Deps = {
  db: Db
  bus: Pick<Bus, 'count'>
  log: FastifyBaseLogger
  /** Undefined where no image model is configured; faces are drawn instead. */
  images: ImageMaker | undefined
  publicUrl: string
  rateLimitScale: number
  now: () => number
}

const facePrompt =
  'A friendly profile picture for a chat assistant: one simple character or symbol, centred, flat colours, plain background, no text.'

const pathOf = (id: string): string => `/api/pictures/${id}`
const idOf = (path: string): string | undefined =>
  /^\/api\/pictures\/([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(path)?.[1]

/** Pictures of agents: uploaded, made by the image model, or drawn. */
export class PictureService implements PictureMaker {
  constructor(private readonly deps: Deps) {}

  /** Re-encodes an uploaded picture and returns its path. Throws picture.type, picture.dimensions, picture.damaged. */
  async store(userId: string, file: Buffer): Promise<string> {
    return this.insert(userId, await squarePicture(file))
  }

  private async insert(userId: string, bytes: Buffer): Promise<string> {
    const { db, now } = this.deps
    const at = new Date(now())
    await deleteUnused(db, userId, { createdBefore: new Date(at.getTime() - serverLimits.agents.unusedPictureMs) })
    const id = randomUUID()
    await insertPicture(db, { id, userId, bytes, createdAt: at })
    return pathOf(id)
  }

  /** Throws not-found. */
  async read(id: string): Promise<Buffer> {
    const bytes = idOf(pathOf(id)) === undefined ? undefined : await findPicture(this.deps.db, id)
    if (!bytes) throw new AppError('not-found')
    return bytes
  }

  /** `path` is the picture of a wallet's agent, which is never a drawn face. Throws not-found. */
  readAt(path: string): Promise<Buffer> {
    return this.read(idOf(path) ?? '')
  }

  /** Paths of faces to choose from: generated within the person's daily limit, else drawn. */
  async suggestions(userId: string): Promise<string[]> {
    const generated = await this.generate(userId, facePrompt, serverLimits.agents.generatedImages)
    return generated.length > 0 ? generated : randomFaces(limits.agents.drawnImages)
  }

  async pictureFrom(userId: string, prompt: string): Promise<string> {
    const [picture = randomFaces(1)[0] ?? ''] = await this.generate(userId, prompt, 1)
    return picture
  }

  /** The path of a picture that this person may use for an agent. Throws agent.image-not-allowed. */
  async requireUsable(userId: string, address: string): Promise<string> {
    const { publicUrl, db } = this.deps
    const path = address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address
    const id = idOf(path)
    const isUsable = isFacePath(path) || (id !== undefined && (await isOwnPicture(db, userId, id)))
    if (!isUsable) throw new AppError('agent.image-not-allowed')
    return path
  }

  /**
   * The bytes of a picture that will not change. A drawn face is stored as a picture of this person first. Throws
   * agent.image-not-allowed.
   */
  async toFixedBytes(userId: string, address: string): Promise<{ path: string; bytes: Buffer }> {
    const path = await this.requireUsable(userId, address)
    const svg = isFacePath(path) ? drawFace(path.slice('/api/faces/'.length)) : undefined
    if (svg === undefined) return { path, bytes: await this.readAt(path) }
    const bytes = await drawnPicture(svg)
    return { path: await this.insert(userId, bytes), bytes }
  }

  /**
   * Stores a signed file byte by byte. Throws picture.type, picture.dimensions for a file that this server would not
   * have encoded itself.
   */
  async storeUnchanged(userId: string, file: Buffer): Promise<string> {
    await requireOwnKind(file)
    return this.insert(userId, file)
  }

  /** Deletes those of the pictures that no agent of this person shows. */
  async deleteUnused(userId: string, addresses: readonly string[]): Promise<void> {
    const ids = addresses.flatMap((address) => idOf(address) ?? [])
    if (ids.length > 0) await deleteUnused(this.deps.db, userId, { ids })
  }

  /** Empty where the model fails or the daily limit is reached: the caller draws faces instead. */
  private async generate(userId: string, prompt: string, count: number): Promise<string[]> {
    const { images, log } = this.deps
    if (!images || !(await this.mayGenerate(userId))) return []
    try {
      const paths: string[] = []
      for (const file of (await images.make(prompt, count)).slice(0, count)) paths.push(await this.store(userId, file))
      return paths
    } catch (error) {
      log.warn({ err: error }, 'the image model made no picture')
      return []
    }
  }

  private async mayGenerate(userId: string): Promise<boolean> {
    const { bus, now, rateLimitScale: scale } = this.deps
    if (scale === 0) return true
    const { count } = await bus.count(
      `agents:images:${new Date(now()).toISOString().slice(0, 10)}:${userId}`,
      86_400_000,
    )
    return count <= serverLimits.agents.generationsPerDay * scale
  }
}
