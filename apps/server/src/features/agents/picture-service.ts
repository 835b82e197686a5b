import { randomUUID } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus'
import type { ImageMaker } from '../../providers/images'
import { drawnPicture, requireOwnKind, squarePicture } from '../../providers/pictures'
import { drawFace, isFacePath, newFaces } from './faces'
import { deleteUnused, findPicture, insertPicture, isOwnPicture } from './picture-store'

type Deps = {
  db: Db
  bus: Pick<Bus, 'count'>
  log: FastifyBaseLogger
  /** Undefined where no image model is configured: faces are drawn then. */
  images: ImageMaker | undefined
  publicUrl: string
  rateLimitScale: number
  now: () => number
}

/** What the image model is asked for an agent's face. */
const facePrompt = 'A friendly profile picture for a chat assistant: one simple character or symbol, centred, flat colours, plain background, no text.'

const pathOf = (id: string): string => `/api/pictures/${id}`
const idOf = (path: string): string | undefined => /^\/api\/pictures\/([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(path)?.[1]

/** Pictures of agents: uploaded, made by the image model, or drawn. */
export class PictureService {
  constructor(private readonly deps: Deps) {}

  /** Keeps a picture of the person's own, written anew. Answers its address. Throws picture.type, picture.dimensions, picture.damaged. */
  async keep(userId: string, file: Buffer): Promise<string> {
    return this.insert(userId, await squarePicture(file))
  }

  private async insert(userId: string, bytes: Buffer): Promise<string> {
    const { db, now } = this.deps
    const at = new Date(now())
    await deleteUnused(db, userId, { madeBefore: new Date(at.getTime() - limits.agents.unusedPictureMs) })
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

  /** What an agent of a wallet shows; it is never a drawn face. Throws not-found. */
  readAt(path: string): Promise<Buffer> {
    return this.read(idOf(path) ?? '')
  }

  /** Faces to choose from: made where there is an image model and the person's day has some left, else drawn. */
  async choice(userId: string): Promise<string[]> {
    const made = await this.made(userId, facePrompt, limits.agents.generatedImages)
    return made.length > 0 ? made : newFaces(limits.agents.drawnImages)
  }

  /** One picture after somebody's own words, or a drawn face. */
  async madeFrom(userId: string, prompt: string): Promise<string> {
    const [picture = newFaces(1)[0] ?? ''] = await this.made(userId, prompt, 1)
    return picture
  }

  /** A picture that this person may give an agent, as a path of this server. Throws agent.image-not-allowed. */
  async requireUsable(userId: string, address: string): Promise<string> {
    const { publicUrl, db } = this.deps
    const path = address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address
    const id = idOf(path)
    const isUsable = isFacePath(path) || (id !== undefined && (await isOwnPicture(db, userId, id)))
    if (!isUsable) throw new AppError('agent.image-not-allowed')
    return path
  }

  /** The picture as bytes that stay as they are: a drawn face is written as a picture of this person. Throws agent.image-not-allowed. */
  async fixed(userId: string, address: string): Promise<{ path: string; bytes: Buffer }> {
    const path = await this.requireUsable(userId, address)
    const svg = isFacePath(path) ? drawFace(path.slice('/api/faces/'.length)) : undefined
    if (svg === undefined) return { path, bytes: await this.readAt(path) }
    const bytes = await drawnPicture(svg)
    return { path: await this.insert(userId, bytes), bytes }
  }

  /** Keeps a file that was signed elsewhere to the letter. Throws picture.type and picture.dimensions for what this server would not have written. */
  async keepSigned(userId: string, file: Buffer): Promise<string> {
    await requireOwnKind(file)
    return this.insert(userId, file)
  }

  /** Forgets pictures that agents of this person no longer show. */
  async forget(userId: string, addresses: readonly string[]): Promise<void> {
    const ids = addresses.flatMap((address) => idOf(address) ?? [])
    if (ids.length > 0) await deleteUnused(this.deps.db, userId, { ids })
  }

  /** None where the model fails: a person who wants a face gets one in any case. */
  private async made(userId: string, prompt: string, count: number): Promise<string[]> {
    const { images, log } = this.deps
    if (!images || !(await this.mayMake(userId))) return []
    try {
      const kept: string[] = []
      for (const file of (await images.make(prompt, count)).slice(0, count)) kept.push(await this.keep(userId, file))
      return kept
    } catch (error) {
      log.warn({ err: error }, 'the image model made no picture')
      return []
    }
  }

  private async mayMake(userId: string): Promise<boolean> {
    const { bus, now, rateLimitScale: scale } = this.deps
    if (scale === 0) return true
    const { count } = await bus.count(`agents:images:${new Date(now()).toISOString().slice(0, 10)}:${userId}`, 86_400_000)
    return count <= limits.agents.generationsPerDay * scale
  }
}
