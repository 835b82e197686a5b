import { limits } from '@parley/contract/limits/shared'
import type { SourcePart } from '@parley/contract/parts'
import type { SentPicture } from '@parley/contract/sent-pictures'
import { fitSources, numberedAfter, type SentSource, tokensOfSources } from '@parley/contract/sent-sources'
import { estimateTokens } from '@parley/contract/token-estimate'
import type { Db } from '../../db/client'
import { sourceText } from './source-prompt'

/** What is looked for in sources. */
export type SourceQuestion = {
  /** What passages are chosen by; empty where files alone are asked about. */
  question: string
  /** What was added with the question. */
  fileIds: readonly string[]
  /** What the sources of this provider may take of the prompt, pictures included. */
  roomTokens: number
  seesPictures: boolean
  /** The cloud channel that is asked in, and its owner; undefined in a chat of a device. */
  channel: { userId: string; channelId: string } | undefined
}

export type FoundSources = {
  /** Numbered from 1. The numbers of the first provider stay; those of later ones are moved behind them. */
  sources: SentSource[]
  /** Each is of one of the sources. */
  pictures: SentPicture[]
  /** Of these the model is given nothing: they are told to whoever asks. */
  unread?: SentSource[] | undefined
  /** In the transaction that begins the answer: whether all of it may be sent still. */
  holds?: ((tx: Db) => Promise<boolean>) | undefined
  /** Nothing was found, because what is there is not read yet. */
  isReading?: boolean | undefined
}

/**
 * Gives what a question is answered from beside the conversation, such as the sources of its channel. It reads, and
 * writes nothing: a question may be prepared more than once, and may not be answered after all.
 */
export type SourceProvider = (asked: SourceQuestion) => Promise<FoundSources>

/** Long headings take more than is estimated for a passage. */
const maxFittings = 20

/**
 * What all providers find, numbered together in their order. They are asked from the last to the first, each within the
 * room that those have left: what bounds itself, as a search of the web does, has its part before the channel's sources
 * fill the rest. `cited`: what the answer cites already that is to be continued; it keeps its numbers.
 */
export async function findSources(
  providers: readonly SourceProvider[],
  asked: SourceQuestion,
  { cited, mark }: { cited: readonly SourcePart[]; mark: string },
): Promise<FoundSources> {
  const all: FoundSources[] = []
  for (const provider of providers.toReversed()) {
    const roomTokens = asked.roomTokens - all.reduce((sum, each) => sum + tokensOf(each), 0)
    if (roomTokens <= 0) break
    const found = await provider({ ...asked, roomTokens })
    const pictures = fittingPictures(found.pictures, roomTokens)
    all.unshift({ ...found, pictures, sources: withoutTextOfPictures(found.sources, pictures) })
  }
  const together: SentSource[] = []
  for (const { sources } of all) together.push(...behind(together, sources))
  const numbered = cited.length === 0 ? together : numberedAfter(together, cited)
  const pictures = all.flatMap((found) => found.pictures)
  const room = asked.roomTokens - tokensOfPictures(pictures.length)
  return {
    sources: fitted(numbered, room, mark).filter((source) => isSent(source, pictures)),
    pictures,
    unread: numbered.filter((source) => isPicture(source) && !isSent(source, pictures)).map(asUnread),
    holds: allOf(all.flatMap(({ holds }) => holds ?? [])),
    isReading: all.some(({ isReading }) => isReading),
  }
}

/** Nothing of its text is sent, whatever was meant to go along. */
const asUnread = (source: SentSource): SentSource => ({ ...source, reading: 'passages' })

function allOf(checks: readonly NonNullable<FoundSources['holds']>[]): FoundSources['holds'] {
  if (checks.length === 0) return undefined
  return async (tx) => {
    for (const holds of checks) if (!(await holds(tx))) return false
    return true
  }
}

/** With half as much of them, for a model that finds the prompt too long; undefined where nothing is left to halve. */
export function halvedSources({ sources, pictures, ...found }: FoundSources): FoundSources | undefined {
  const tokens = tokensOfSources(sources)
  if (tokens === 0 && pictures.length < 2) return undefined
  const kept = pictures.slice(0, Math.ceil(pictures.length / 2))
  const dropped = new Set(pictures.slice(kept.length).map(({ fileId }) => fileId))
  const halved = fitSources(sources, Math.floor(tokens / 2)).map((source) =>
    dropped.has(source.fileId) ? { ...source, reading: 'passages' as const } : source,
  )
  return { ...found, sources: halved, pictures: kept }
}

const tokensOfPictures = (count: number): number => count * limits.sources.pictureTokens.likely

const tokensOf = ({ sources, pictures }: FoundSources): number =>
  tokensOfSources(sources) + tokensOfPictures(pictures.length)

/** As many as fit, but one in any case: it may be all that is asked about. */
const fittingPictures = (pictures: readonly SentPicture[], roomTokens: number): SentPicture[] =>
  pictures.slice(0, Math.max(1, Math.floor(roomTokens / limits.sources.pictureTokens.likely)))

const isPicture = ({ mediaType }: SentSource): boolean => mediaType.startsWith('image/')

/** A model that is shown a picture reads it better than the text that was recognised in it. */
function withoutTextOfPictures(sources: readonly SentSource[], pictures: readonly SentPicture[]): SentSource[] {
  const shown = new Set(pictures.map(({ fileId }) => fileId))
  return sources.map((source) => (shown.has(source.fileId) && isPicture(source) ? { ...source, passages: [] } : source))
}

/** With numbers behind those that are taken. */
function behind(taken: readonly SentSource[], sources: readonly SentSource[]): SentSource[] {
  if (taken.length === 0) return [...sources]
  let last = Math.max(0, ...taken.flatMap(({ passages }) => passages.map(({ n }) => n)))
  return sources.map((source) => ({
    ...source,
    passages: source.passages.map((passage) => ({ ...passage, n: ++last })),
  }))
}

/** As much as fits together with the lines around it. */
function fitted(sources: readonly SentSource[], roomTokens: number, mark: string): SentSource[] {
  let room = roomTokens
  for (let fittings = 0; fittings < maxFittings; fittings++) {
    const fitting = fitSources(sources, room)
    const tokens = estimateTokens(sourceText(fitting, [], mark))
    if (tokens <= roomTokens) return fitting
    room = Math.floor(room * Math.min(0.9, roomTokens / tokens))
  }
  return fitSources(sources, 0)
}

const isSent = ({ fileId, passages }: SentSource, pictures: readonly SentPicture[]): boolean =>
  passages.length > 0 || pictures.some((picture) => picture.fileId === fileId)
