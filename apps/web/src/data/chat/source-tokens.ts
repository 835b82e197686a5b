import { windowOf } from '@parley/contract/context'
import { limits } from '@parley/contract/limits/shared'
import { type Model, seesPictures } from '@parley/contract/models'
import { roomForSources } from '@parley/contract/sent-sources'
import type { Source } from '@parley/contract/sources'
import { useMemo } from 'react'
import { modeOf } from '../channels/homes'
import { useChannel } from '../channels/use-channels'
import { useSources } from '../channels/use-sources'
import { isPicture } from '../sources/pictures'

type Asked = {
  model: Model | undefined
  /** The server has the sources: no frame bounds them. */
  isCloud: boolean
  maxTokens?: number | undefined
}

/** Of a passage, for its number, its place and the lines around it. */
const passageTokens = 24
/** As `estimateTokens` counts the text of most languages of Latin script: 1.03 bytes for a character, 4 for a token. */
const charactersPerToken = 3.9
/** Text in base64 of what deflate leaves of it. */
const deflatedShare = 2.8 * (3 / 4)

/**
 * What the active sources of a chat are likely to take of the next question's prompt: all of their text where that has
 * room, else as much as the room, the frame and the number of passages allow.
 */
export function likelySourceTokens(sources: readonly Source[], { model, isCloud, maxTokens }: Asked): number {
  const active = sources.filter(({ status, isActive }) => status === 'processed' && isActive)
  const drawn = seesPictures(model) ? active.filter(isPicture).slice(-limits.sources.maxSentPictures) : []
  const texts = active.filter((source) => !drawn.includes(source))
  const ofPictures = drawn.length * limits.sources.pictureTokens.likely
  const passages = sum(texts.map((source) => source.passages ?? 0))
  const all = sum(texts.map(({ characters = 0 }) => characters)) / charactersPerToken + passages * passageTokens
  const room = Math.max(0, roomForSources(windowOf(model).tokens, maxTokens) - ofPictures)
  const byCount = passages === 0 ? 0 : (all / passages) * limits.sources.maxSentPassages
  const byFrame = isCloud
    ? Number.POSITIVE_INFINITY
    : (limits.sources.maxCompressedBytes * deflatedShare) / charactersPerToken
  return ofPictures + Math.round(Math.min(all, room, byCount, byFrame))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** The same of the sources of a chat, or of a draft, as they are listed. */
export function useLikelySourceTokens(channelId: string, { model, maxTokens }: Omit<Asked, 'isCloud'>): number {
  const channel = useChannel(channelId)
  const isCloud = channel !== undefined && modeOf(channel) === 'cloud'
  const { sources } = useSources(channelId)
  return useMemo(() => likelySourceTokens(sources, { model, isCloud, maxTokens }), [sources, model, isCloud, maxTokens])
}
