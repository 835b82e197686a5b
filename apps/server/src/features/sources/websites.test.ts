import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FetchedPage, SourceJob } from '@parley/contract/sources'
import { expect, it, onTestFinished } from 'vitest'
import type { PublicWeb } from '../../providers/egress'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { cloudOf } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { sourcesOf } from '../../testing/source-calls'

const said = (tStartMs: number, utf8: string) => ({ tStartMs, segs: [{ utf8 }] })
const videoPlayer = {
  playabilityStatus: { status: 'OK' },
  videoDetails: { title: 'A talk about locks' },
  captions: {
    playerCaptionsTracklistRenderer: {
      captionTracks: [{ baseUrl: 'https://www.youtube.com/api/timedtext?lang=en', languageCode: 'en' }],
    },
  },
}
/** YouTube's pages, as they were recorded: one video, of which a minute is said. */
const youtube: PublicWeb = async (url) => {
  const body = url.includes('/watch')
    ? `<script>var ytInitialPlayerResponse = ${JSON.stringify(videoPlayer)};</script>`
    : JSON.stringify({ events: [said(0, 'Hello there.'), said(31_000, 'It turns twice.')] })
  return { url, mediaType: 'text/html', bytes: new TextEncoder().encode(body) }
}

const [kind = 'pglite'] = databases
const html = `<!doctype html><title>Rents</title><nav>Home</nav><main><h1>Rents of 2026</h1>
<p>${'The index rose by four percent. '.repeat(10)}</p><script>document.title = 'no'</script></main>`

/** A website that the operator lets people read, and an account with a channel. */
async function aReader(publicWeb?: PublicWeb) {
  const server = createServer((request, response) => {
    if (request.url !== '/rents') return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await buildTestApp({
    kind,
    env: { RATE_LIMIT_SCALE: '0', FETCH_ALLOWED_HOSTS: host },
    ...(publicWeb ? { publicWeb } : {}),
  })
  const ana = await aPerson(app, 'ana@example.org')
  return { ana, cloud: cloudOf(ana), site: `http://${host}`, sources: sourcesOf(ana) }
}

it('a website of a cloud channel is read, named by its title and told with its address [ST-137] [ST-141]', async () => {
  const { ana, cloud, site, sources } = await aReader()
  const { id: channelId } = await cloud.create()
  const added = await ana.post('/api/embeddings/website', { url: `${site}/rents`, channelId })
  const job = await sources.ended((added.body as SourceJob).id)
  expect(job).toMatchObject({ status: 'processed', filename: 'Rents', mediaType: 'text/html', url: `${site}/rents` })
  expect(job.fetched_at).toBeTruthy()
  expect((await ana.send('GET', `/api/embeddings/job/${job.id}/document`)).body).toMatchObject({
    blocks: [{ kind: 'heading', text: 'Rents of 2026' }, { kind: 'paragraph' }],
  })
  expect((await ana.send('GET', `/api/channel/${channelId}/urls`)).body).toEqual([`${site}/rents`])
})

it('a video of a cloud channel is read with its times, and named by its title', async () => {
  const { ana, cloud, sources } = await aReader(youtube)
  const { id: channelId } = await cloud.create()
  const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  const added = await ana.post('/api/embeddings/youtube-video', { url, channelId })
  const job = await sources.ended((added.body as SourceJob).id)
  expect(job).toMatchObject({ status: 'processed', type: 'video', filename: 'A talk about locks', url })
  const { body } = await ana.send('GET', `/api/embeddings/job/${job.id}/document`)
  // The page of a block is the second at which it is said, and one more.
  expect(body).toMatchObject({
    blocks: [
      { page: 1, text: 'Hello there.' },
      { page: 32, text: 'It turns twice.' },
    ],
  })
})

it('a website that refuses, or is not public, fails with the reason', async () => {
  const { ana, cloud, site, sources } = await aReader()
  const { id: channelId } = await cloud.create()
  const add = async (url: string) => {
    const { body } = await ana.post('/api/embeddings/website', { url, channelId })
    return sources.ended((body as SourceJob).id)
  }
  expect(await add(`${site}/gone`)).toMatchObject({ status: 'failed', reason: 'source.url-status' })
  expect(await add('http://169.254.169.254/x')).toMatchObject({ status: 'failed', reason: 'source.url-refused' })
})

it('a website is read for a device, which alone keeps it; nobody signed in reads none', async () => {
  const { ana, site } = await aReader()
  const { status, body } = await ana.post('/api/sources/fetch', { url: `${site}/rents` })
  const page = body as FetchedPage
  expect([status, page.title, page.type, page.url]).toEqual([200, 'Rents', 'website', `${site}/rents`])
  expect(page.document.blocks[0]).toMatchObject({ kind: 'heading', text: 'Rents of 2026' })
  expect((await ana.send('GET', `/api/embeddings/job/status/user/${ana.answer.user.id}`)).body).toEqual([])
  const refused = await ana.post('/api/sources/fetch', { url: 'http://127.0.0.1:1/' })
  expect(refused).toMatchObject({ status: 400, body: { code: 'source.url-refused' } })
})
