import { randomBytes } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { aDraft, anAgent } from '../../testing/agent-drafts'
import { buildTestApp, databaseKind, databases, type TestApp } from '../../testing/build-test-app'
import { buildChatApp, plainSetup } from '../../testing/chat-setups'
import { aPerson, Client } from '../../testing/person'

type Person = Awaited<ReturnType<typeof aPerson>>

async function anApp(kind: (typeof databases)[number] = databaseKind) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  return { app, ana: await aPerson(app, 'ana@example.org'), eve: await aPerson(app, 'eve@example.org') }
}

async function upload(
  app: TestApp,
  person: Person,
  bytes: Buffer,
  type = 'image/png',
): Promise<{ status: number; body: { url?: string; code?: string } }> {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(bytes)], { type }), 'picture.png')
  const headers = { authorization: `Bearer ${person.tokens?.access_token}`, origin: app.url }
  const response = await app.call('/v1/assistants/images', { method: 'POST', body: form, headers })
  return { status: response.status, body: (await response.json()) as { url?: string; code?: string } }
}

/** Wider than high: red on the left, blue on the right. */
const halves = (width = 400, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#00f' } }, left: width / 2, top: 0 },
  ])

const bytesAt = async (app: TestApp, path: string): Promise<Buffer> =>
  Buffer.from(await (await app.call(path)).arrayBuffer())

describe.each(databases)('uploaded pictures on %s', (kind) => {
  it('are written anew: square, upright, and nothing but the picture', async () => {
    const { app, ana } = await anApp(kind)
    const exif = {
      IFD0: { Copyright: 'CANARY-EXIF', Make: 'CANARY' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    }
    // Lying on its side, as phones write it: upright, red is on top.
    const file = await halves().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const tailed = Buffer.concat([file, Buffer.from('<script>CANARY</script>')])
    expect(tailed.includes('CANARY-EXIF')).toBe(true)
    const { status, body } = await upload(app, ana, tailed, 'text/html')
    expect([status, body.url]).toEqual([200, expect.stringMatching(/^\/api\/pictures\/[0-9a-f-]{36}$/)])

    const response = await app.call(body.url ?? '')
    expect(
      Object.fromEntries(
        ['content-type', 'x-content-type-options', 'cache-control'].map((name) => [name, response.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.includes('CANARY')).toBe(false)
    const { format, width, height, exif: kept, orientation, icc } = await sharp(bytes).metadata()
    expect([format, width, height, kept, orientation, icc]).toEqual([
      'webp',
      serverLimits.agents.pictureSize,
      serverLimits.agents.pictureSize,
      undefined,
      undefined,
      undefined,
    ])
    const pixel = async (top: number) => [
      ...(await sharp(bytes).extract({ left: 256, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
    ]
    const [above, below] = [await pixel(30), await pixel(480)]
    expect([(above[0] ?? 0) > 200, (below[2] ?? 0) > 200]).toEqual([true, true])
  })

  it('are given to agents of their owner alone, and go when nothing shows them', async () => {
    const { app, ana, eve } = await anApp(kind)
    const png = await halves().png().toBuffer()
    const { url = '' } = (await upload(app, ana, png)).body
    const agent = await anAgent(ana, { profileImage: url })
    expect(agent.profileImage).toBe(url)
    const foreign = [url, `${app.url}${url}`, `/api/pictures/${uuidv7()}`]
    const elsewhere = [
      'https://example.org/x.png',
      '//example.org/x.png',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      '/api/faces/../../x.svg',
      '/api/faces/a.svg?x=1',
      'x',
    ]
    for (const profileImage of [...foreign, ...elsewhere])
      expect(await eve.post('/v1/assistants', aDraft({ profileImage }))).toMatchObject({
        status: 400,
        body: { code: 'agent.image-not-allowed' },
      })
    const second = (await upload(app, ana, png)).body.url ?? ''
    await ana.post('/v1/assistants', aDraft({ _id: agent._id, profileImage: second }))
    expect((await app.call(url)).status).toBe(404)
    await ana.send('DELETE', `/v1/assistants/${agent._id}`)
    expect((await app.call(second)).status).toBe(404)
    // What no agent ever showed goes with a later upload.
    const { url: old = '' } = (await upload(app, ana, png)).body
    await app.db.execute(sql`update pictures set created_at = now() - interval '2 days'`)
    await upload(app, ana, png)
    expect((await app.call(old)).status).toBe(404)
  })
})

it('refuses what is no picture, whatever it says it is', async () => {
  const { app, ana } = await anApp()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const png = await halves().png().toBuffer()
  const tiff = await halves().tiff().toBuffer()
  for (const file of [svg, `\n${svg}`, `<?xml version="1.0"?>${svg}`, '<html></html>', '', 'GIF', '%PDF-1.7', tiff])
    expect(await upload(app, ana, Buffer.from(file)), String(file).slice(0, 20)).toMatchObject({
      status: 415,
      body: { code: 'picture.type' },
    })
  // A picture's first bytes before a drawing, and a picture that is cut off.
  for (const file of [
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(svg)]),
    png.subarray(0, png.length / 2),
  ])
    expect(await upload(app, ana, file)).toMatchObject({ status: 400, body: { code: 'picture.damaged' } })
  expect(await upload(app, ana, Buffer.alloc(limits.agents.maxPictureBytes + 1))).toMatchObject({
    status: 413,
    body: { code: 'picture.too-large' },
  })
  const noFile = await ana.post('/v1/assistants/images', { image: 'x' })
  expect(noFile.status).toBeGreaterThanOrEqual(400)
  expect((await ana.send('GET', '/v1/assistants/images')).status).toBe(200)
})

it('refuses pictures that would fill the memory once decoded', async () => {
  const { app, ana } = await anApp()
  // 64 million pixels of one colour in a few kilobytes.
  const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  expect(bomb.length).toBeLessThan(limits.agents.maxPictureBytes)
  expect(await upload(app, ana, bomb)).toMatchObject({ status: 413, body: { code: 'picture.dimensions' } })
  // One that says that it is larger than anything.
  const liar = await halves(10, 10).png().toBuffer()
  liar.writeUInt32BE(0x7fff_ffff, 16)
  liar.writeUInt32BE(0x7fff_ffff, 20)
  const { status, body } = await upload(app, ana, liar)
  expect([status >= 400 && status < 500, body.code]).toEqual([
    true,
    expect.stringMatching(/^picture\.(damaged|dimensions)$/),
  ])
  // Of many frames the first.
  const frames = await sharp(randomBytes(20 * 80 * 3), { raw: { width: 20, height: 80, channels: 3, pageHeight: 20 } })
    .gif({ loop: 0 })
    .toBuffer()
  expect((await sharp(frames).metadata()).pages).toBe(4)
  const animated = await upload(app, ana, frames)
  expect((await sharp(await bytesAt(app, animated.body.url ?? '')).metadata()).pages ?? 1).toBe(1)
})

describe('faces', () => {
  it('are drawn here, the same for the same seed, and are nothing but drawings [AG-012, AG-060]', async () => {
    const { app, ana } = await anApp()
    const { data } = (await ana.send('GET', '/v1/assistants/images')).body as { data: { url: string }[] }
    expect(new Set(data.map(({ url }) => url)).size).toBe(limits.agents.drawnImages)
    const [first, second] = data.map(({ url }) => url)
    const response = await app.call(first ?? '')
    const svg = await response.text()
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('image/svg+xml'),
      'public, max-age=31536000, immutable',
    ])
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(svg).not.toMatch(/<script|\son\w+=|<foreignObject|<image|(?:href|src)=/i)
    expect(await (await app.call(first ?? '')).text()).toBe(svg)
    expect(await (await app.call(second ?? '')).text()).not.toBe(svg)
    for (const name of ['x', 'x.jpg', `${'x'.repeat(65)}.svg`, '%3Cscript%3E.svg', '..%2Fx.svg', '.svg', 'a b.svg'])
      expect((await app.call(`/api/faces/${name}`)).status).toBe(404)
    for (const id of ['x', uuidv7(), '%00', '../x']) expect((await app.call(`/api/pictures/${id}`)).status).toBe(404)
  })

  it('come from the image model where there is one, written anew, and are drawn when it fails [AG-060]', async () => {
    for (const model of ['painter', 'painter-new']) {
      const app = await buildChatApp(plainSetup, { env: { IMAGE_MODEL: model } })
      app.gateway.images.push(
        await halves()
          .withExif({ IFD0: { Copyright: 'CANARY' } })
          .jpeg()
          .toBuffer(),
        await halves(20, 20).png().toBuffer(),
      )
      const ana = await aPerson(app, 'ana@example.org')
      const choose = async () =>
        ((await ana.send('GET', '/v1/assistants/images')).body as { data: { url: string }[] }).data.map(
          ({ url }) => url,
        )
      const made = await choose()
      expect(made).toEqual([expect.stringMatching(/^\/api\/pictures\//), expect.stringMatching(/^\/api\/pictures\//)])
      expect(app.gateway.imageRequests.at(-1)).toMatchObject({ model, n: serverLimits.agents.generatedImages })
      const bytes = await bytesAt(app, made[0] ?? '')
      expect([(await sharp(bytes).metadata()).format, bytes.includes('CANARY')]).toEqual(['webp', false])
      expect((await anAgent(ana, { profileImage: made[1] ?? '' })).profileImage).toBe(made[1])
      app.gateway.images.length = 0
      expect((await choose())[0]).toMatch(/^\/api\/faces\//)
      // What the model says is a picture is looked at like any other file.
      app.gateway.images.push(Buffer.from('<svg onload="alert(1)"/>'))
      expect((await choose())[0]).toMatch(/^\/api\/faces\//)
      expect(await new Client(app).send('GET', '/v1/assistants/images')).toMatchObject({ status: 401 })
    }
  })

  it('cost no more than a day has: afterwards they are drawn', async () => {
    const app = await buildChatApp(plainSetup, { env: { IMAGE_MODEL: 'painter', RATE_LIMIT_SCALE: '1' } })
    app.gateway.images.push(await halves(20, 20).png().toBuffer())
    const ana = await aPerson(app, 'ana@example.org')
    const kinds: string[] = []
    for (let call = 0; call < serverLimits.agents.imagesPerMinute; call++) {
      const { body } = await ana.send('GET', '/v1/assistants/images')
      kinds.push((body as { data: { url: string }[] }).data[0]?.url.split('/')[2] ?? '')
    }
    expect(kinds).toEqual(
      Array.from({ length: serverLimits.agents.imagesPerMinute }, (_, n) =>
        n < serverLimits.agents.generationsPerDay ? 'pictures' : 'faces',
      ),
    )
    expect(await ana.send('GET', '/v1/assistants/images')).toMatchObject({
      status: 429,
      body: { code: 'rate-limited' },
    })
  })
})
