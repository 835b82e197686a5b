import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { uuidv7 } from '@parley/contract/uuid'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Scheduler } from '../../db/scheduler'
import { fileKeys, fileRemovals, sourcePassages, sources as sourceRows, uploads } from '../../db/schema/sources'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { anApp, cloudOf } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { startS3 } from '../../testing/s3-stand-in'
import { sourcesOf } from '../../testing/source-calls'
import { filesIn, storeOf } from '../../testing/stored-files'
import { FileRemoval } from './file-removal'

const lease = 'The rent is 900 reais a month. The canary sings.'

/** The repeated work of an app, a day and an hour later. */
function laterWork(app: TestApp): Map<string, () => Promise<void>> {
  const work = new Map<string, () => Promise<void>>()
  const now = () => app.now() + 25 * 3_600_000
  new FileRemoval({ db: app.db, store: storeOf(app), log: pino({ level: 'silent' }), now }).schedule({
    every: (name: string, { run }: { run: () => Promise<void> }) => void work.set(name, run),
  } as unknown as Scheduler)
  return work
}

describe.each(databases)('what is deleted of sources on %s', (kind) => {
  const aReadSource = async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    const sources = sourcesOf(ana)
    const { id } = await sources.ended((await sources.add(channelId, 'lease.txt', lease)).id)
    await sources.begun(channelId, 'half.txt', Buffer.from('half'))
    return { app, ana, cloud, channelId, sources, id }
  }
  const rowsOf = async ({ db }: TestApp) =>
    (await Promise.all([sourceRows, sourcePassages, uploads].map((table) => db.select().from(table)))).flat()

  it('goes with a source: file, text and passages [ST-157]', async () => {
    const { app, ana, id } = await aReadSource()
    expect((await filesIn(app)).filter((key) => key.includes(id))).toHaveLength(2)
    await ana.send('DELETE', `/api/embeddings/job/${id}`)
    expect(await filesIn(app)).toEqual([])
    expect(await app.db.select().from(sourcePassages)).toEqual([])
  })

  it('goes with a channel', async () => {
    const { app, ana, channelId, sources } = await aReadSource()
    await ana.send('DELETE', `/api/channel/${channelId}`)
    expect(await rowsOf(app)).toEqual([])
    expect((await sources.quota()).usedBytes).toBe(0)
    // By itself.
    await expect.poll(() => filesIn(app), { timeout: 50_000 }).toEqual([])
    await expect.poll(() => app.db.select().from(fileRemovals)).toEqual([])
  })

  it('goes with an account, its key first of all', async () => {
    const { app, ana } = await aReadSource()
    await ana.send('DELETE', '/api/user/account', { userId: ana.answer.user.id })
    expect(await rowsOf(app)).toEqual([])
    expect(await app.db.select().from(fileKeys)).toEqual([])
    await laterWork(app).get('sources.remove-files')?.()
    expect(await filesIn(app)).toEqual([])
  })

  it('is swept where a process has ended between the store and the database, and nothing else is', async () => {
    const { app, ana, id, sources, channelId } = await aReadSource()
    const owner = ana.answer.user.id
    const { id: uploadId } = await sources.begun(channelId, 'more.txt', Buffer.from('more and more'))
    await sources.continued(uploadId, 0, Buffer.from('more'))
    const kept = await filesIn(app)
    const content = async function* () {
      yield Buffer.from('an orphan')
    }
    const orphans = [
      `${owner}/${uuidv7()}/file`,
      `${owner}/${id}/document.${uuidv7()}`,
      `${owner}/${id}/file.unfinished`,
    ]
    for (const key of orphans) await storeOf(app).put(key, content())
    const foreign = 'lost+found/of-the-operator'
    await storeOf(app).put(foreign.replace('+', '-'), content())
    await laterWork(app).get('sources.sweep-files')?.()
    expect(await filesIn(app)).toEqual([...kept, 'lost-found/of-the-operator'].sort())
    const fresh = `${owner}/${uuidv7()}/file`
    await storeOf(app).put(fresh, content())
    const tomorrow = new Date(Date.now() + 25 * 3_600_000)
    utimesSync(join(app.dataDir, 'files', fresh), tomorrow, tomorrow)
    await laterWork(app).get('sources.sweep-files')?.()
    expect(await filesIn(app)).toContain(fresh)
  })

  it('are uploads that nobody has continued for a day', async () => {
    const { app, ana, channelId, sources, id } = await aReadSource()
    const { id: uploadId } = await sources.begun(channelId, 'more.txt', Buffer.from('more and more'))
    await sources.continued(uploadId, 0, Buffer.from('more'))
    await laterWork(app).get('sources.forget-uploads')?.()
    expect((await ana.send('GET', `/api/embeddings/uploads/${uploadId}`)).status).toBe(404)
    expect((await filesIn(app)).every((key) => key.includes(id))).toBe(true)
    expect((await sources.quota()).usedBytes).toBe(lease.length)
  })
})

describe('files of sources', () => {
  it('lie in the store unreadable, and open while AUTH_SECRET is replaced', async () => {
    const [old, newer] = ['the old secret of the tests: long enough', 'the new secret of the tests: long enough']
    const first = await buildTestApp({ env: { AUTH_SECRET: old, RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(first, 'ana@example.org')
    const { id: channelId } = await cloudOf(ana).create()
    const { id } = await sourcesOf(ana).ended((await sourcesOf(ana).add(channelId, 'lease.txt', lease)).id)
    for await (const { key } of storeOf(first).list('')) {
      const pieces = []
      for await (const piece of await storeOf(first).get(key)) pieces.push(piece)
      expect(Buffer.concat(pieces).includes('canary'), key).toBe(false)
    }
    for (const secret of [`${old},${newer}`, `${newer},${old}`, newer]) {
      const env = { AUTH_SECRET: secret, RATE_LIMIT_SCALE: '0', DATA_DIR: first.dataDir }
      const node = await buildTestApp({ keepTables: true, env })
      const again = await aPerson({ call: node.call, url: node.url }, 'ana@example.org')
      const file = await again.request('GET', `/api/embeddings/job/${id}/file`)
      expect(await file.text()).toBe(lease)
    }
  })

  it('may lie in a store that speaks S3, and wait for one that is away', async () => {
    const access = { region: 'us-east-1', accessKeyId: 'a-key', secretAccessKey: 'a secret of the tests' }
    const s3 = await startS3(access, 'files')
    const env = {
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket, S3_ACCESS_KEY_ID: access.accessKeyId },
      ...{ S3_SECRET_ACCESS_KEY: access.secretAccessKey, RATE_LIMIT_SCALE: '0' },
    }
    const app = await buildTestApp({ env })
    const ana = await aPerson(app, 'ana@example.org')
    const sources = sourcesOf(ana)
    const { id: channelId } = await cloudOf(ana).create()
    const { id } = await sources.ended((await sources.add(channelId, 'lease.txt', lease)).id)
    expect([...s3.objects.keys()].filter((key) => key.includes(id))).toHaveLength(2)
    expect([...s3.objects.values()].some(({ content }) => content.includes('canary'))).toBe(false)
    s3.state.isAway = true
    expect(await sources.upload(channelId, 'other.txt', 'Other.')).toMatchObject({
      status: 503,
      body: { code: 'source.store' },
    })
    expect(await ana.request('GET', `/api/embeddings/job/${id}/file`)).toMatchObject({ status: 503 })
    await ana.send('DELETE', `/api/embeddings/job/${id}`)
    expect(s3.objects.size).toBe(2)
    s3.state.isAway = false
    // What is removed next takes along what waits.
    const { id: half } = await sources.begun(channelId, 'half.txt', Buffer.from('half'))
    await ana.send('DELETE', `/api/embeddings/uploads/${half}`)
    expect(s3.objects.size).toBe(0)
  })
})
