import type { Channel } from '@parley/contract/channels'
import { pdfOfObjects } from '@parley/reader/testing/pdf-bytes'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { anApp } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { sha256Of, sourcesOf } from '../../testing/source-calls'

const lease = 'The rent is 900 reais a month.\n\nIt is paid on the fifth day.\n'

/** A PDF whose pages are pictures, each of one line. */
async function aScan(...lines: string[]): Promise<Uint8Array> {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '']
  const kids: string[] = []
  for (const line of lines) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="150"><rect width="900" height="150" fill="white"/><text x="30" y="90" font-family="DejaVu Sans, sans-serif" font-size="36">${line}</text></svg>`
    const picture = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer()
    const content = 'q 500 0 0 83 40 600 cm /I Do Q'
    const first = objects.length + 1
    kids.push(`${first} 0 R`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 1} 0 R /Resources << /XObject << /I ${first + 2} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width 900 /Height 150 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${picture.length * 2 + 1} >>\nstream\n${picture.toString('hex')}>\nendstream`,
    )
  }
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] >>`
  return new Uint8Array(pdfOfObjects(objects))
}

describe.each(databases)('sources of a cloud channel on %s', (kind) => {
  const aChannel = async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    return { app, ana, cloud, channelId, sources: sourcesOf(ana) }
  }

  it('are uploaded, queued, read, listed and given back as they were [ST-002] [ST-130] [ST-131] [ST-132] [ST-135]', async () => {
    const { ana, channelId, sources, cloud } = await aChannel()
    const added = await sources.add(channelId, 'lease.txt', lease)
    expect(added).toMatchObject({
      ...{ _id: added.id, channel_id: channelId, user_id: ana.answer.user.id, type: 'document', active: true },
      ...{ filename: 'lease.txt', processed: false, document: null, bytes: lease.length },
      sha256: sha256Of(Buffer.from(lease)),
    })
    expect(['queued', 'processing']).toContain(added.status)
    const read = await sources.ended(added.id)
    expect(read).toMatchObject({
      ...{ status: 'processed', processed: true, passages: 1, notices: [] },
      document: {
        postgresId: `${channelId}_${ana.answer.user.id}_${added.id}`,
        content: expect.stringContaining('The rent is 900 reais'),
      },
    })
    expect(await sources.list(channelId)).toEqual([read])
    const document = await ana.send('GET', `/api/embeddings/job/${added.id}/document`)
    expect(document.body).toMatchObject({
      blocks: [{ kind: 'paragraph', text: 'The rent is 900 reais a month.' }, { kind: 'paragraph' }],
    })
    const file = await ana.request('GET', `/api/embeddings/job/${added.id}/file`)
    expect(await file.text()).toBe(lease)
    expect((await cloud.get(channelId)).isDocument).toBe(true)
  })

  it('answer by person, one by one, and in their order [ST-140]', async () => {
    const { ana, channelId, sources, cloud } = await aChannel()
    const first = await sources.add(channelId, 'one.txt', 'One.')
    const { id: otherId } = await cloud.create()
    const second = await sources.add(otherId, 'two.txt', 'Two.')
    const userId = ana.answer.user.id
    const mine = await ana.send('GET', `/api/embeddings/job/status/user/${userId}`)
    expect((mine.body as { id: string }[]).map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await ana.send('DELETE', `/api/embeddings/job/${first.id}`)).status).toBe(204)
    expect(await sources.list(channelId)).toEqual([])
    expect(await ana.send('GET', `/api/embeddings/job/status/${first.id}`)).toMatchObject({
      status: 404,
      body: { code: 'source.not-found' },
    })
  })

  it('are one where the same file comes twice, whatever its name', async () => {
    const { channelId, sources } = await aChannel()
    const first = await sources.add(channelId, 'lease.txt', lease)
    expect((await sources.add(channelId, 'copy.txt', lease)).id).toBe(first.id)
    expect(await sources.list(channelId)).toHaveLength(1)
    expect((await sources.quota()).usedBytes).toBe(lease.length)
  })

  it('may be a text [ST-134]', async () => {
    const { ana, channelId, sources } = await aChannel()
    const added = await ana.post('/api/embeddings/text-embedding', { text: 'Notes of today\nBuy bread.', channelId })
    const [document] = (added.body as { documents: { id: string }[] }).documents
    expect(await sources.ended(document?.id ?? '')).toMatchObject({ filename: 'Notes of today.txt', processed: true })
  })

  it('may be scans, whose pages are read by the server, which says so and knows where each line stands [ST-128] [ST-129]', async () => {
    const { ana, channelId, sources } = await aChannel()
    const scan = await aScan('CONTRATO 4711', 'O valor do aluguel 1.234,56')
    const read = await sources.ended((await sources.add(channelId, 'contrato.pdf', scan)).id)
    expect(read).toMatchObject({ status: 'processed', pages: 2, notices: ['from-picture'] })
    const { body } = await ana.send('GET', `/api/embeddings/job/${read.id}/document`)
    const line = (text: string) => ({ text: expect.stringContaining(text), box: expect.any(Array) })
    expect(body).toMatchObject({
      blocks: [
        { page: 1, lines: [line('4711')] },
        { page: 2, lines: [line('1.234,56')] },
      ],
    })
  })

  it('that no reader knows fail with the reason, and can be tried again', async () => {
    const { ana, channelId, sources } = await aChannel()
    const { id } = await sources.add(channelId, 'broken.pdf', '%PDF-1.7\nnothing')
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.damaged', processed: false })
    expect(await ana.post(`/api/embeddings/job/${id}/retry`, {})).toMatchObject({ body: { id, processed: false } })
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.damaged' })
  })

  it('are refused before they are stored where they cannot be sources', async () => {
    const { ana, channelId, sources } = await aChannel()
    const refused = async (name: string, content: string, field?: string) =>
      (await sources.upload(channelId, name, content, field)).body
    expect(await refused('program.exe', 'MZ')).toMatchObject({ code: 'source.type', status: 415 })
    expect(await refused('nothing.txt', '')).toMatchObject({ code: 'source.empty', status: 400 })
    expect(await refused('lease.txt', lease, 'file')).toMatchObject({ code: 'validation' })
    expect(await ana.post(`/api/embeddings/upload/${channelId}`, {})).toMatchObject({ status: 400 })
    expect(await sources.list(channelId)).toEqual([])
  })

  it('keep of a name neither a path nor what hides its end', async () => {
    const { channelId, sources } = await aChannel()
    expect((await sources.add(channelId, '../../etc/pass\u202ewd.txt', 'x')).filename).toBe('passwd.txt')
  })

  it('are switched all or none, and only once they are read [ST-153] [ST-155]', async () => {
    const { ana, channelId, sources } = await aChannel()
    const read = await sources.ended((await sources.add(channelId, 'read.txt', lease)).id)
    const failed = await sources.ended((await sources.add(channelId, 'failed.pdf', '%PDF-1.7\nnothing')).id)
    const put = (entries: object[]) => ana.send('PUT', '/api/embeddings/job', entries)
    const off = ({ document: _, ...job }: typeof read) => ({ ...job, active: false })
    expect(await put([off(read), off(failed)])).toMatchObject({ status: 409, body: { code: 'source.busy' } })
    expect(await put([off(read), { id: 'unknown', active: false }])).toMatchObject({ status: 404 })
    expect((await sources.get(read.id)).active).toBe(true)
    const answer = await put([off(read), { _id: failed.id, active: true }])
    expect((answer.body as (typeof read)[]).map(({ id, active }) => [id, active])).toEqual([
      [read.id, false],
      [failed.id, true],
    ])
  })

  it('may be websites and videos, to a channel or a new one [ST-002] [ST-136] [ST-137] [ST-138] [ST-139] [ST-141]', async () => {
    const { ana, channelId, sources, cloud } = await aChannel()
    const site = await ana.post('/api/embeddings/website', { url: 'https://example.org/a#top', channelId })
    expect(site).toMatchObject({ status: 201, body: { type: 'website', url: 'https://example.org/a' } })
    const video = await ana.post('/api/embeddings/youtube-video', { url: 'https://youtu.be/x', channelId })
    expect(video).toMatchObject({ status: 201, body: { type: 'video' } })
    expect(await cloud.get(channelId)).toMatchObject({ isYoutube: true, isDocument: true })
    expect(await ana.post('/api/embeddings/website', { url: 'ftp://example.org', channelId })).toMatchObject({
      status: 400,
      body: { code: 'source.url-invalid', message: 'Invalid URL' },
    })
    const both = await ana.post('/api/embeddings', { urls: ['https://example.org/b', 'https://youtu.be/y'] })
    const { channel, jobs } = both.body as { channel: Channel; jobs: { type: string; channel_id: string }[] }
    expect(jobs.map(({ type, channel_id }) => [type, channel_id])).toEqual([
      ['website', channel.id],
      ['video', channel.id],
    ])
    const videos = await ana.post('/api/embeddings/video-channel', { urls: ['https://example.org/film'] })
    expect(videos).toMatchObject({ status: 201, body: { channel: { isYoutube: true } } })
    expect((await ana.send('GET', `/api/channel/${channelId}/urls`)).body).toEqual([])
    const { id } = site.body as { id: string }
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.url-unreachable' })
  })

  it('are nobody else’s: strangers find nothing, members see and change nothing, nobody at all gets 401', async () => {
    const { app, ana, channelId, sources } = await aChannel()
    const { id } = await sources.ended((await sources.add(channelId, 'lease.txt', lease)).id)
    const upload = await sources.begun(channelId, 'more.txt', Buffer.from('more'))
    const eve = await aPerson(app, 'eve@example.org')
    const calls: [string, string, object?][] = [
      ['GET', `/api/embeddings/job/channel/${channelId}`],
      ['GET', `/api/channel/${channelId}/urls`],
      ['GET', `/api/embeddings/job/status/${id}`],
      ['GET', `/api/embeddings/job/${id}/document`],
      ['GET', `/api/embeddings/job/${id}/file`],
      ['GET', `/api/embeddings/job/status/user/${ana.answer.user.id}`],
      ['GET', `/api/embeddings/uploads/${upload.id}`],
      ['PUT', '/api/embeddings/job', [{ id, active: false }]],
      ['POST', `/api/embeddings/job/${id}/retry`, {}],
      ['POST', '/api/embeddings/website', { url: 'https://example.org', channelId }],
      ['POST', '/api/embeddings/text-embedding', { text: 'x', channelId }],
      ['POST', '/api/embeddings/uploads', { channelId, name: 'x.txt', bytes: 1, sha256: '0'.repeat(64) }],
      ['DELETE', `/api/embeddings/job/${id}`],
    ]
    for (const [method, path, body] of calls) {
      expect((await eve.send(method, path, body)).status, `${method} ${path}`).toBe(404)
      const init = { method, headers: { 'content-type': 'application/json' } }
      const nobody = await app.call(path, body === undefined ? { method } : { ...init, body: JSON.stringify(body) })
      expect(nobody.status, `${method} ${path}`).toBe(401)
    }
    expect((await sourcesOf(eve).upload(channelId, 'x.txt', 'x')).status).toBe(404)
    expect((await sourcesOf(eve).continue(upload.id, 0, Buffer.from('evil'))).status).toBe(404)

    const invitation = await ana.post(`/api/channel/${channelId}/invitations`, { role: 'write', days: 1 })
    const token = (invitation.body as { url: string }).url.split('/').at(-1)
    await eve.post(`/api/invitations/${token}/accept`, {})
    for (const [method, path, body] of calls) {
      const json = { 'content-type': 'application/json' }
      const { status } = await eve.request(method, path, body && JSON.stringify(body), body ? json : {})
      const expected = path.includes('/user/') || path.includes('/uploads/') ? 404 : method === 'GET' ? 200 : 403
      expect(status, `a member: ${method} ${path}`).toBe(expected)
    }
    expect(await sources.get(id)).toMatchObject({ active: true, processed: true })
  })

  it('are downloads that no browser runs', async () => {
    const { ana, channelId, sources } = await aChannel()
    const { id } = await sources.add(channelId, "it's (é).html", '<script>alert(1)</script>')
    const { headers } = await ana.request('GET', `/api/embeddings/job/${id}/file`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''it%27s%20%28%C3%A9%29.html")
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
