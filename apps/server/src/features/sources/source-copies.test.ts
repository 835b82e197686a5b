import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sourcePassages, sources as sourceRows } from '../../db/schema/sources'
import { branchesOf } from '../../testing/branch-calls'
import { databases } from '../../testing/build-test-app'
import { anApp, cloudOf } from '../../testing/cloud-channels'
import { sha256Of, sourcesOf } from '../../testing/source-calls'
import { filesIn } from '../../testing/stored-files'
import { SourcePassages } from './public/source-passages'

const lease = Buffer.from('The rent is 900 reais a month.')

describe.each(databases)('sources that come from elsewhere on %s', (kind) => {
  const aChannel = async () => {
    const { app, ana } = await anApp(kind)
    const { id: channelId } = await cloudOf(ana).create()
    return { app, ana, channelId, sources: sourcesOf(ana) }
  }
  const bring = async (
    { sources, channelId }: { sources: ReturnType<typeof sourcesOf>; channelId: string },
    source: object,
    content = lease,
  ) => {
    const { body } = await sources.begin(channelId, 'lease.txt', content, { source })
    const { id, offset, job } = body as { id: string; offset: number; job?: { id: string } }
    return job ?? (await sources.continued(id, offset, content.subarray(offset))).job
  }
  const website = {
    type: 'website',
    url: 'https://example.org/page#there',
    mediaType: 'text/html',
    fetchedAt: '2025-05-01T10:00:01.000Z',
  }
  const page = Buffer.from(
    JSON.stringify({ title: 'Another title', blocks: [{ kind: 'paragraph', text: 'The fee is 30.' }], notices: [] }),
  )

  it('keep id, switch and time, and another id where theirs is taken', async () => {
    const { ana, channelId, sources } = await aChannel()
    const [id, addedAt] = [uuidv7(), '2025-05-01T10:00:00.000Z']
    const brought = await bring({ sources, channelId }, { id, addedAt, isActive: false })
    expect(brought).toMatchObject({ id, created_at: addedAt, active: false })
    expect(await sources.ended(id)).toMatchObject({ status: 'processed', active: false })
    const { id: other } = await cloudOf(ana).create()
    const second = await bring({ sources, channelId: other }, { id })
    expect(second?.id).not.toBe(id)
    expect(await bring({ sources, channelId }, { id: uuidv7() })).toMatchObject({ id })
    const file = await ana.request('GET', `/api/embeddings/job/${id}/file`)
    expect(await file.text()).toBe(lease.toString())
  })

  it('bring the text of a website that was fetched, which is not asked for again', async () => {
    const { channelId, sources } = await aChannel()
    const id = uuidv7()
    expect(await bring({ sources, channelId }, { id, link: website }, page)).toMatchObject({ id, type: 'website' })
    expect(await sources.ended(id)).toMatchObject({
      ...{ status: 'processed', filename: 'lease.txt', url: 'https://example.org/page', bytes: page.length },
      ...{ fetched_at: website.fetchedAt, document: { content: 'The fee is 30.' } },
    })
    // By its address it is the same one, whatever it said at another time.
    expect(await bring({ sources, channelId }, { link: website }, Buffer.from('{}'))).toMatchObject({ id })
    const { body } = await sources.begin(channelId, 'x', page, { source: { link: { ...website, url: 'file:///etc' } } })
    expect(body).toMatchObject({ code: 'source.url-invalid' })
    const nonsense = await bring({ sources, channelId }, { link: { ...website, url: 'https://example.org/2' } }, lease)
    expect(await sources.ended(nonsense?.id ?? '')).toMatchObject({ status: 'failed', reason: 'source.unreadable' })
  })

  it('hold a channel that was copied without them', async () => {
    const { ana, channelId, sources } = await aChannel()
    await bring({ sources, channelId }, { id: uuidv7() })
    const remove = (seen: string) => ana.send('DELETE', `/api/channel/${channelId}?sources=${encodeURIComponent(seen)}`)
    const key = sha256Of(lease).slice(0, 13)
    for (const seen of ['', `${key}-`, `${key}+${key}+`])
      expect(await remove(seen)).toMatchObject({ status: 409, body: { code: 'channel.copy-differs' } })
    expect((await remove(`${key}+`)).status).toBe(204)
  })
})

describe.each(databases)('a chat of its own on %s', (kind) => {
  it('has copies of the active sources, in its own account, and what it cites names them', async () => {
    const { app, ana } = await anApp(kind)
    const cloud = cloudOf(ana)
    const { id: channelId } = await cloud.create()
    const sources = sourcesOf(ana)
    const { id } = await sources.ended((await sources.add(channelId, 'lease.txt', lease)).id)
    const off = await sources.ended((await sources.add(channelId, 'off.txt', 'Off.')).id)
    await ana.send('PUT', '/api/embeddings/job', [{ id: off.id, active: false }])
    const message = {
      ...{ mId: uuidv7(), channelId, chat_request: 'Rent?', status: 'completed', datetime: new Date().toISOString() },
      chat_response: { role: 'assistant', content: 'It is 900 [1].' },
      sources: [id, off.id].map((fileId, n) => ({ type: 'source', n, title: 'lease', fileId, passage: '900' })),
    }
    await ana.send('PUT', `/api/chat/${channelId}/messages`, { messages: [message] })
    const before = await filesIn(app)
    const branch = branchesOf(ana, channelId).branch
    const newId = uuidv7()
    const made = (await branch({ mId: message.mId, newId })).body as { id: string }
    const [copy, ...others] = await sources.list(made.id)
    expect(copy).toMatchObject({ filename: 'lease.txt', status: 'processed', active: true, bytes: lease.length })
    expect(others).toEqual([])
    const [said] = await branchesOf(ana, made.id).messages()
    // The one that did not come along is not there.
    expect(said?.sources?.map(({ fileId }) => fileId)).toEqual([copy?.id, off.id])
    const found = await new SourcePassages({ db: app.db }).passagesFor({
      ...{ ownerId: ana.answer.user.id, channelId: made.id, question: 'rent', roomTokens: 1_000 },
    })
    expect(found).toMatchObject([{ fileId: copy?.id, passages: [{ text: lease.toString() }] }])
    // Made again, nothing is there twice.
    const files = await filesIn(app)
    expect(files).toHaveLength(before.length + 2)
    await branch({ mId: message.mId, newId })
    expect(await filesIn(app)).toEqual(files)
    await ana.send('DELETE', `/api/channel/${channelId}`)
    const file = await ana.request('GET', `/api/embeddings/job/${copy?.id}/file`)
    expect(await file.text()).toBe(lease.toString())
    await ana.send('DELETE', `/api/channel/${made.id}`)
    expect(await app.db.select().from(sourcePassages)).toEqual([])
    expect((await sources.quota()).usedBytes).toBe(0)
  })

  it('is not made where its sources have no room, and nothing of it stays in the store', async () => {
    const { app, ana } = await anApp(kind)
    const { id: channelId } = await cloudOf(ana).create()
    const sources = sourcesOf(ana)
    const { id } = await sources.ended((await sources.add(channelId, 'lease.txt', lease)).id)
    const mId = uuidv7()
    const said = { mId, channelId, chat_request: 'Rent?', status: 'completed', datetime: new Date().toISOString() }
    const message = { ...said, chat_response: { role: 'assistant', content: '900' } }
    await ana.send('PUT', `/api/chat/${channelId}/messages`, { messages: [message] })
    await app.db
      .update(sourceRows)
      .set({ bytes: 2 * 1024 ** 3 })
      .where(eq(sourceRows.id, id))
    const before = await filesIn(app)
    expect(await branchesOf(ana, channelId).branch({ mId })).toMatchObject({
      status: 409,
      body: { code: 'source.quota' },
    })
    expect(await filesIn(app)).toEqual(before)
    expect(await cloudOf(ana).list()).toHaveLength(1)
  })
})
