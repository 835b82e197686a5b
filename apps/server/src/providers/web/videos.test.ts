import { expect, it } from 'vitest'
import type { PublicWeb } from '../egress'
import { readVideo, youtubeIdOf } from './videos'

const id = 'dQw4w9WgXcQ'
const signal = new AbortController().signal

/** YouTube's pages as they were recorded, shortened to what is read of them. */
function aYoutube({ player, captions = {} }: { player: unknown; captions?: unknown }) {
  const calls: string[] = []
  const web: PublicWeb = async (url) => {
    calls.push(url)
    const body = url.includes('/watch')
      ? `<script>var ytInitialPlayerResponse = ${JSON.stringify(player)};var meta = "}{";</script>`
      : JSON.stringify(captions)
    return { url, mediaType: 'text/html', bytes: new TextEncoder().encode(body) }
  }
  return { web, calls }
}

const track = (languageCode: string, kind?: string) => ({
  baseUrl: `https://www.youtube.com/api/timedtext?v=${id}&lang=${languageCode}${kind ? '&kind=asr' : ''}`,
  languageCode,
  ...(kind ? { kind } : {}),
})

const aPlayer = (...captionTracks: unknown[]) => ({
  playabilityStatus: { status: 'OK' },
  videoDetails: { title: 'A "talk" } about locks' },
  captions: { playerCaptionsTracklistRenderer: { captionTracks } },
})

const captions = {
  events: [
    { tStartMs: 0, segs: [{ utf8: 'Hello' }, { utf8: ' there.' }] },
    { tStartMs: 4_000, segs: [{ utf8: '\n' }] },
    { tStartMs: 12_500, segs: [{ utf8: 'We begin.' }] },
    { tStartMs: 31_000, segs: [{ utf8: 'Now the\nsecond part.' }] },
  ],
}

it.each([
  [`https://www.youtube.com/watch?v=${id}&t=3`, id],
  [`https://youtu.be/${id}?si=x`, id],
  [`https://m.youtube.com/shorts/${id}`, id],
  [`https://www.youtube.com/embed/${id}`, id],
  ['https://www.youtube.com/watch?v=short', undefined],
  [`https://youtube.com.evil.example/watch?v=${id}`, undefined],
  ['https://example.org/film', undefined],
])('the video of %s is %s', (url, expected) => {
  expect(youtubeIdOf(url)).toBe(expected)
})

it('what is said in a video is read with its times, from the captions that suit the person best', async () => {
  const { web, calls } = aYoutube({ player: aPlayer(track('en'), track('pt', 'asr'), track('pt')), captions })
  expect(await readVideo(id, { web, signal, language: 'pt-BR' })).toEqual({
    title: 'A "talk" } about locks',
    document: {
      title: 'A "talk" } about locks',
      blocks: [
        { kind: 'paragraph', text: 'Hello there. We begin.', page: 1 },
        { kind: 'paragraph', text: 'Now the second part.', page: 32 },
      ],
      notices: [],
    },
  })
  expect(calls[1]).toBe(`https://www.youtube.com/api/timedtext?v=${id}&lang=pt&fmt=json3`)
})

it.each([
  ['has no captions', aPlayer(), 'source.video-captions'],
  [
    'has captions elsewhere',
    aPlayer({ baseUrl: 'https://evil.example/x', languageCode: 'en' }),
    'source.video-captions',
  ],
  ['is private', { playabilityStatus: { status: 'LOGIN_REQUIRED' } }, 'source.video-unavailable'],
  ['has a page that is another than it was', { captions: 7 }, 'source.video-captions'],
])('a video that %s fails with the reason, and nothing else is asked', async (_what, player, code) => {
  const { web, calls } = aYoutube({ player, captions })
  await expect(readVideo(id, { web, signal, language: 'en-US' })).rejects.toMatchObject({ code })
  expect(calls).toHaveLength(1)
})
