import { fileURLToPath } from 'node:url'
import { type SearchStandIn, startSearxng, startServer } from '../apps/server/src/testing/search-stand-ins'

export const rentFact = 'The index of rents rose by four percent in 2026.'

const pages: Record<string, string> = {
  '/rents': `<!doctype html><title>Rents</title><nav>Home</nav><main><h1>Rents of 2026</h1><p>${rentFact}</p>
<p>${'More about the rents of cities and what they were before. '.repeat(30)}</p></main>`,
}

/** What stands in the page that never ends. */
export const endlessFact = 'The rent of the endless house is 4,711 euro.'

export const videoAddress = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
export const videoFact = 'The lock turns twice to the left.'

/** YouTube, as its pages and captions were recorded: one video, of which a minute is said. */
const youtube: Record<string, string> = {
  '/watch': `<script>var ytInitialPlayerResponse = ${JSON.stringify({
    playabilityStatus: { status: 'OK' },
    videoDetails: { title: 'A talk about locks' },
    captions: {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ baseUrl: 'https://www.youtube.com/api/timedtext?v=dQw4w9WgXcQ&lang=en', languageCode: 'en' }],
      },
    },
  })};</script>`,
  '/api/timedtext': JSON.stringify({
    events: [
      { tStartMs: 0, segs: [{ utf8: 'Hello there.' }] },
      { tStartMs: 31_000, segs: [{ utf8: videoFact }] },
      { tStartMs: 75_000, segs: [{ utf8: 'Thank you.' }] },
    ],
  }),
}

export type WebStandIns = {
  engine: SearchStandIn
  site: { url: string; host: string }
  /** What leads a server to the stand-in of YouTube. */
  youtube: Record<string, string>
  /** How often the page that never ends was asked for. */
  endlessReads(): number
  close(): Promise<void>
}

/** A website, and an engine that finds its one page. */
export async function startWeb(): Promise<WebStandIns> {
  const closes: (() => Promise<void>)[] = []
  const onEnd = (close: () => Promise<void>): void => void closes.push(close)
  let endlessReads = 0
  const engine = await startSearxng(onEnd)
  const site = await startServer((request, response) => {
    const page = pages[request.url ?? '']
    if (request.url === '/endless') {
      endlessReads++
      response.writeHead(200, { 'content-type': 'text/html' }).write(`<!doctype html><main><p>${endlessFact}</p>`)
    } else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }, onEnd)
  const videos = await startServer((request, response) => {
    const body = youtube[new URL(request.url ?? '', 'http://localhost').pathname]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body)
  }, onEnd)
  const inPlace = fileURLToPath(new URL('./youtube-in-place.cjs', import.meta.url))
  engine.results = [{ url: `${site.url}/rents`, title: 'Rents' }]
  const close = async (): Promise<void> => {
    for (const each of closes) await each()
  }
  return {
    ...{ engine, site, close, endlessReads: () => endlessReads },
    youtube: { NODE_OPTIONS: `--require ${inPlace}`, YOUTUBE_PORT: new URL(videos.url).port },
  }
}
