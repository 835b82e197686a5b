import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { SourcePart } from '@parley/contract/parts'
import type { SentPicture } from '@parley/contract/sent-pictures'
import type { SentSource } from '@parley/contract/sent-sources'
import type { Device } from '../local/device'
import { readPieces, type StoredPart, type StoredSource } from '../local/source-records'
import { isRecordError, storageError } from '../local/storage-error'
import type { AskedSource, NearPassages } from './choose-sources'
import { activeSources } from './device-sources'
import type { QuestionVector } from './device-vectors'
import { isPicture, pictureLength, picturesToSend } from './pictures'
import type { ReaderWorkerPort } from './reader-worker-port'

export type SourceQuestion = {
  question: string
  /** What was asked before, newest first: a question may say too little by itself. */
  before?: readonly string[] | undefined
  roomTokens: number
  /** What the answer cites already that is to be continued. */
  cited?: readonly SourcePart[] | undefined
  /** The model sees pictures: they go along as such. */
  seesPictures?: boolean | undefined
}

/** `compressed`: `SentSources` as a question carries them. `pictures`: those that go along as pictures. */
export type SourceChoice = { compressed: string; sent: SentSource[]; pictures: SentPicture[] }

/**
 * Chooses what of the active sources of a channel goes along with a question; undefined where there is none. Only those
 * that are read count, and those of them that can be read on this device. `vectorOf` is asked only where not everything
 * has room, and there are vectors that the question's can be compared with.
 */
export async function chooseSources(
  device: Device,
  searcher: ReaderWorkerPort,
  channelId: string,
  { question, before, roomTokens, cited, seesPictures = false }: SourceQuestion,
  vectorOf?: (question: string) => Promise<QuestionVector | undefined>,
): Promise<SourceChoice | undefined> {
  const active = await activeSources(device, channelId)
  if (active.length === 0) return undefined
  const pictures = seesPictures ? await drawnPictures(device, searcher, active) : []
  const isDrawn = new Set(pictures.map(({ fileId }) => fileId))
  const byKey = new Map(
    active.flatMap((stored) =>
      stored.passages || isDrawn.has(stored.source.id) ? [[keyOf(stored), stored] as const] : [],
    ),
  )
  const room = Math.max(0, roomTokens - pictures.length * limits.sources.pictureTokens.likely)
  const request = (near?: NearPassages) => ({
    ...{ kind: 'choose' as const, question, before, roomTokens: room, cited, near },
    sources: [...byKey].map(([key, stored]) => asked(key, stored, isDrawn.has(stored.source.id))),
  })
  let chosen = await searcher.call(request())
  if ('missing' in chosen) {
    for (const key of chosen.missing) if (!(await load(device, searcher, byKey.get(key)))) byKey.delete(key)
    chosen = await searcher.call(request())
  }
  // The worker was ended between both, because the vault is closed.
  if ('missing' in chosen) throw new AppError('source.busy')
  if (vectorOf && chosen.hasLeftOut) {
    const { searched } = chosen
    const near = await nearPassages(device, searcher, { byKey, vector: () => vectorOf(searched) })
    const withNear = near && (await searcher.call(request(near)))
    if (withNear && !('missing' in withNear)) chosen = withNear
  }
  return { compressed: chosen.compressed, sent: chosen.sent, pictures }
}

/** Undefined where nothing can be compared. */
async function nearPassages(
  device: Device,
  searcher: ReaderWorkerPort,
  { byKey, vector }: { byKey: ReadonlyMap<string, StoredSource>; vector: () => Promise<QuestionVector | undefined> },
): Promise<NearPassages | undefined> {
  const all = [...byKey].flatMap(([key, { contentId, passages, vectors }]) =>
    vectors?.isWhole && vectors.of === passages?.part ? [{ key, contentId, vectors }] : [],
  )
  const asked = all.length === 0 ? undefined : await vector()
  if (!asked) return undefined
  const { length } = asked.vector
  const comparable = all.filter(({ vectors }) => vectors.key === asked.key && vectors.dimensions === length)
  if (comparable.length === 0) return undefined
  const parts = Object.fromEntries(comparable.map(({ key, vectors }) => [key, vectors.part]))
  const missing = new Set(await searcher.call({ kind: 'missing-vectors', parts }))
  for (const { key, contentId, vectors } of comparable) {
    const packed = missing.has(key) && (await readable(device, contentId, vectors))
    if (packed) await searcher.call({ kind: 'load-vectors', part: vectors.part, packed })
  }
  return { vector: asked.vector, parts }
}

/** Another reading of a source has another key. */
export const keyOf = ({ contentId, passages }: StoredSource): string => `${contentId}|${passages?.part}`

function asked(key: string, { source }: StoredSource, isDrawn: boolean): AskedSource {
  const { id, name, mediaType, bytes, url, pages } = source
  return {
    ...{ key, fileId: id, name, mediaType, bytes },
    ...(url === undefined ? {} : { url }),
    ...(pages === undefined ? {} : { pages }),
    ...(isDrawn ? { isPicture: true } : {}),
  }
}

/** Answers whether it could be read. */
export async function load(
  device: Device,
  searcher: ReaderWorkerPort,
  stored: StoredSource | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const passages = stored?.passages && (await readable(device, stored.contentId, stored.passages))
  if (!stored || !passages) return false
  await searcher.call({ kind: 'load', key: keyOf(stored), passages }, signal ? { signal } : {})
  return true
}

/** What cannot be read on this device keeps nobody from asking about the rest. */
async function readable(device: Device, contentId: string, part: StoredPart): Promise<Blob | undefined> {
  try {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for await (const piece of readPieces(device, contentId, part)) pieces.push(piece)
    return new Blob(pieces)
  } catch (error) {
    if (isRecordError(storageError(error))) return undefined
    throw error
  }
}

/** Of a picture that cannot be drawn here, the text goes along. */
async function drawnPictures(
  device: Device,
  searcher: ReaderWorkerPort,
  active: readonly StoredSource[],
): Promise<SentPicture[]> {
  const wanted = picturesToSend(active.filter(({ source, file }) => file && isPicture(source)))
  const maxLength = pictureLength(wanted.length)
  const drawn: SentPicture[] = []
  for (const stored of wanted) {
    const bytes = stored.file && (await readable(device, stored.contentId, stored.file))
    if (!bytes) continue
    const file = new Blob([bytes], { type: stored.source.mediaType })
    const picture = await searcher.call({ kind: 'picture', file, maxLength })
    if (picture) drawn.push({ fileId: stored.source.id, ...picture })
  }
  return drawn
}
