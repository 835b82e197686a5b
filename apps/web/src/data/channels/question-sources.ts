// What a question carries of the sources of its channel.
import { attachmentPrefix, type CreateChatMessage, type Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits/shared'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import type { SentPicture } from '@parley/contract/sent-pictures'
import { tokensOfSources } from '@parley/contract/sent-sources'
import type { Source } from '@parley/contract/sources'
import { scoped } from '../scope/scope'
import { isPicture, pictureLength, picturesToSend } from '../sources/pictures'
import { ReaderWorkerPort } from '../sources/reader-worker-port'
import type { ScaledPicture } from '../sources/scale-picture'
import type { SourceStore } from '../sources/source-store'
import { deviceSourcesOf, sourcesOf } from './channel-sources'
import { knownSources } from './known-sources'

export type QuestionSources = {
  fields: Pick<CreateChatMessage, 'typeChat' | 'compressedDocuments' | 'pictures'>
  /** What they take of the model's window, as far as it is known here. */
  tokens: number
}

type Asked = Pick<Message, 'channelId' | 'files'> & {
  question: string
  /** What was asked before, newest first. */
  before?: readonly string[] | undefined
  /** What the sources may take of the model's window. */
  roomTokens: number
  seesPictures: boolean
  /** What the answer cites already that is to be continued. */
  cited: readonly SourcePart[] | undefined
}

const withoutSources: QuestionSources = { fields: { typeChat: {} }, tokens: 0 }

/** What of the active sources of a channel on this device goes along with a question. Throws AppError. */
export async function sourcesOnDevice({ channelId, ...asked }: Asked): Promise<QuestionSources> {
  const chosen = await deviceSourcesOf(channelId).choose(channelId, asked)
  if (!chosen) return withoutSources
  const { compressed, sent, pictures } = chosen
  return {
    fields: {
      typeChat: { prefix: attachmentPrefix },
      compressedDocuments: compressed,
      ...(pictures.length === 0 ? {} : { pictures }),
    },
    tokens: tokensOfSources(sent) + pictures.length * limits.sources.pictureTokens.likely,
  }
}

/** The server has the sources of a cloud channel: only pictures go along, drawn small. */
export async function sourcesInCloud({ channelId, files = [], seesPictures }: Asked): Promise<QuestionSources> {
  const active = knownSources(channelId).filter(({ status, isActive }) => status === 'processed' && isActive)
  const pictures = seesPictures ? await drawnPictures(channelId, active, files) : []
  return {
    fields: {
      typeChat: active.length === 0 && files.length === 0 ? {} : { prefix: attachmentPrefix },
      ...(pictures.length === 0 ? {} : { pictures }),
    },
    tokens: 0,
  }
}

/** So many drawn pictures of cloud channels are kept for the questions that follow. */
const mostDrawn = 8
const drawnBefore = scoped(() => new Map<string, ScaledPicture>())

/** A picture that cannot be had now goes along as its text, which the server has. */
async function drawnPictures(
  channelId: string,
  active: readonly Source[],
  files: readonly FilePart[],
): Promise<SentPicture[]> {
  const known = active.filter(isPicture).map(({ id, mediaType }) => ({ id, mediaType }))
  const added = files.filter((file) => isPicture(file) && !known.some(({ id }) => id === file.fileId))
  const wanted = picturesToSend([...known, ...added.map(({ fileId: id, mediaType }) => ({ id, mediaType }))])
  if (wanted.length === 0) return []
  const [store, reader] = [await sourcesOf(channelId), new ReaderWorkerPort()]
  const maxLength = pictureLength(wanted.length)
  const drawn: SentPicture[] = []
  for (const { id, mediaType } of wanted) {
    const picture = await drawnOnce(store, reader, { ref: { id, channelId }, mediaType, maxLength }).catch(() => null)
    if (picture) drawn.push({ fileId: id, ...picture })
  }
  return drawn
}

type Wanted = { ref: { id: string; channelId: string }; mediaType: string; maxLength: number }

async function drawnOnce(
  store: SourceStore,
  reader: ReaderWorkerPort,
  { ref, mediaType, maxLength }: Wanted,
): Promise<ScaledPicture | null> {
  const before = drawnBefore()
  const key = `${ref.channelId}|${ref.id}|${maxLength}`
  const known = before.get(key)
  if (known) return known
  const bytes = await store.file(ref)
  const picture = await reader.call({ kind: 'picture', file: new Blob([bytes], { type: mediaType }), maxLength })
  if (!picture) return null
  for (const oldest of before.keys()) if (before.size >= mostDrawn) before.delete(oldest)
  before.set(key, picture)
  return picture
}
