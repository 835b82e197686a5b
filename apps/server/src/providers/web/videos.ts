import { AppError } from '@parley/contract/errors'
import type { DocumentBlock, ReadDocument } from '@parley/contract/read-document'
import * as z from 'zod/mini'
import type { PublicWeb } from '../egress'

// YouTube's captions, as its own pages ask for them. No promise of YouTube's stands behind this: where it changes,
// videos fail with a reason until this file follows.

export type Video = { title: string; document: ReadDocument }

const youtubeHosts: ReadonlySet<string> = new Set([
  ...['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'],
])
const videoId = /^[\w-]{11}$/

/** The id of a video of YouTube; undefined for any other address. */
export function youtubeIdOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { hostname, pathname, searchParams } = new URL(address)
  if (!youtubeHosts.has(hostname)) return undefined
  const [, first = '', second = ''] = pathname.split('/')
  const id =
    hostname === 'youtu.be' ? first : ['shorts', 'embed', 'live', 'v'].includes(first) ? second : searchParams.get('v')
  return id && videoId.test(id) ? id : undefined
}

const Track = z.object({ baseUrl: z.string(), languageCode: z.string(), kind: z.optional(z.string()) })
type Track = z.infer<typeof Track>

const Player = z.object({
  playabilityStatus: z.optional(z.object({ status: z.optional(z.string()) })),
  videoDetails: z.optional(z.object({ title: z.optional(z.string()) })),
  captions: z.optional(
    z.object({
      playerCaptionsTracklistRenderer: z.optional(z.object({ captionTracks: z.optional(z.array(Track)) })),
    }),
  ),
})

const Captions = z.object({
  events: z.optional(
    z.array(
      z.object({
        tStartMs: z.optional(z.number()),
        segs: z.optional(z.array(z.object({ utf8: z.optional(z.string()) }))),
      }),
    ),
  ),
})

/** A paragraph of a video is what is said in so many seconds, to the end of its line. */
const paragraphSeconds = 30

/**
 * What is said in a video, as paragraphs whose `page` is the second at which they begin, plus one. Throws
 * source.video-captions, source.video-unavailable, source.url-….
 */
export async function readVideo(
  id: string,
  { web, language, signal, origin = 'https://www.youtube.com' }: ReadVideo,
): Promise<Video> {
  const page = await web(`${origin}/watch?v=${id}`, { signal, language })
  const player = Player.safeParse(playerIn(new TextDecoder().decode(page.bytes)))
  if (!player.success) throw new AppError('source.video-captions')
  const { playabilityStatus, videoDetails, captions } = player.data
  if (playabilityStatus?.status !== undefined && playabilityStatus.status !== 'OK')
    throw new AppError('source.video-unavailable')
  const track = bestTrack(captions?.playerCaptionsTracklistRenderer?.captionTracks ?? [], language)
  if (!track || !URL.canParse(track.baseUrl, origin)) throw new AppError('source.video-captions')
  const address = new URL(track.baseUrl, origin)
  // What the page names is a stranger's text: it is asked of YouTube alone.
  if (address.origin !== new URL(origin).origin) throw new AppError('source.video-captions')
  address.searchParams.set('fmt', 'json3')
  const { bytes } = await web(address.href, { signal, language })
  const blocks = paragraphsOf(jsonOf(new TextDecoder().decode(bytes)))
  if (blocks.length === 0) throw new AppError('source.video-captions')
  const title = videoDetails?.title ?? `YouTube ${id}`
  return { title, document: { title, blocks, notices: [] } }
}

type ReadVideo = {
  web: PublicWeb
  /** The person's, such as pt-BR. */
  language: string
  signal: AbortSignal
  origin?: string
}

/** The JSON that stands in the page's script. */
function playerIn(html: string): unknown {
  const at = html.indexOf('ytInitialPlayerResponse')
  const from = at < 0 ? -1 : html.indexOf('{', at)
  if (from < 0) return undefined
  let depth = 0
  let isText = false
  for (let index = from; index < html.length; index++) {
    const letter = html[index]
    if (isText) {
      if (letter === '\\') index++
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return jsonOf(html.slice(from, index + 1))
  }
  return undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Written by a person before recognised by a program; the person's language, English, then any. */
function bestTrack(tracks: readonly Track[], language: string): Track | undefined {
  const wanted = [language.split('-')[0], 'en']
  const rank = ({ languageCode, kind }: Track): number => {
    const place = wanted.indexOf(languageCode.split('-')[0])
    return (place < 0 ? wanted.length : place) * 2 + (kind === 'asr' ? 1 : 0)
  }
  return [...tracks].sort((a, b) => rank(a) - rank(b))[0]
}

function paragraphsOf(json: unknown): DocumentBlock[] {
  const captions = Captions.safeParse(json)
  const blocks: { kind: 'paragraph'; text: string; page: number }[] = []
  for (const { tStartMs = 0, segs = [] } of captions.data?.events ?? []) {
    const text = segs
      .map(({ utf8 = '' }) => utf8)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    if (text === '') continue
    const page = Math.max(0, Math.floor(tStartMs / 1000)) + 1
    const last = blocks.at(-1)
    if (last && page - last.page < paragraphSeconds) last.text += ` ${text}`
    else blocks.push({ kind: 'paragraph', text, page })
  }
  return blocks
}
