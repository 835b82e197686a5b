import type { AgentFile } from '@parley/contract/agent-files'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Scheduler } from '../../db/scheduler'
import { sourcePassages, sources as sourceRows } from '../../db/schema/sources'
import { aDraft, anAgent } from '../../testing/agent-drafts'
import { agentFilesOf } from '../../testing/agent-file-calls'
import { databaseKind, databases, type TestApp } from '../../testing/build-test-app'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { aPerson } from '../../testing/person'
import { aReaderThat, isAlive, waitsForever } from '../../testing/reader-programs'
import { filesIn, storeOf } from '../../testing/stored-files'
import { AccountFiles } from './account-files'
import { AgentFileService } from './agent-file-service'
import { FileJoiner } from './file-joiner'
import { FileRemoval } from './file-removal'
import type { ReaderOptions } from './reader-process'

const lampText = 'SECRETFILE: the lamp of Point Vermilion was lit in 1871.'

async function aWorld(kind: (typeof databases)[number], reader?: Partial<ReaderOptions>) {
  const app = await buildChatApp(
    { kind, bus: 'memory' },
    { env: { RATE_LIMIT_SCALE: '0' }, ...(reader ? { reader } : {}) },
  )
  const [ana, eve] = [await aPerson(app, 'ana@example.org'), await aPerson(app, 'eve@example.org')]
  const [files, evesFiles] = [agentFilesOf(ana), agentFilesOf(eve)]
  /** What the gateway was told before a question of this person, or of a visitor. */
  const promptFor = async (question: string, assistantId: string, token?: string) => {
    const socket = await new Visitor(token).connect(app)
    await socket.untilEvent('end', socket.ask(question, { assistantId }))
    return { system: app.gateway.requests.at(-1)?.body.messages[0]?.content ?? '', frames: socket.frames }
  }
  return { app, ana, eve, files, evesFiles, promptFor, evesToken: eve.tokens?.access_token }
}

const idsOf = (files: readonly AgentFile[]): string[] => files.map(({ id }) => id)
const rowsOf = async ({ db }: TestApp) => [
  ...(await db.select().from(sourceRows)),
  ...(await db.select().from(sourcePassages)),
]

const removalOf = (app: TestApp) =>
  new FileRemoval({ db: app.db, store: storeOf(app), log: pino({ level: 'silent' }), now: app.now })

describe.each(databases)("files of an agent's knowledge on %s", (kind) => {
  it('are read, searched for each question of strangers, and shown to the owner alone [AG-035]', async () => {
    const { app, ana, eve, files, promptFor, evesToken } = await aWorld(kind)
    const file = await files.read('SECRETNAME.txt', lampText)
    expect(file).toMatchObject({ name: 'SECRETNAME.txt', status: 'processed', passages: 1 })
    expect(file.assistantId).toBeUndefined()
    const agent = await anAgent(ana, { knowledgeFiles: [file.id], knowledge: 'Typed: nine seconds.' })
    expect(await files.of(agent._id)).toEqual([{ ...file, assistantId: agent._id }])

    for (const token of [evesToken, undefined]) {
      const { system, frames } = await promptFor('When was the lamp lit?', agent._id, token)
      expect(system).toContain('Typed: nine seconds.')
      expect(system).toContain('> SECRETFILE: the lamp of Point Vermilion was lit in 1871.')
      expect(system).not.toContain('SECRETNAME')
      expect(JSON.stringify(frames)).not.toMatch(/SECRET|"source"/)
    }
    const { id: channelId } = (
      (await eve.post('/api/channel', { assistantId: agent._id })).body as { data: { id: string } }
    ).data
    const told = []
    for (const path of [
      ...[`/v1/assistant?assistant_id=${agent._id}`, '/v1/assistants/community/free', `/assistant/${agent._id}`],
      ...[`/v1/assistants/files?assistant_id=${agent._id}`, `/v1/assistants/files/${file.id}`],
      ...[`/api/embeddings/job/status/${file.id}`, `/api/embeddings/job/${file.id}/document`],
      ...[`/api/embeddings/job/${file.id}/file`, `/api/embeddings/job/channel/${channelId}`],
      ...[`/api/embeddings/job/status/user/${eve.answer.user.id}`, `/api/embeddings/job/channel/${agent._id}`],
    ])
      told.push(await (await eve.request('GET', path)).text())
    for (const path of [`/v1/assistants/files/${file.id}/retry`, `/api/embeddings/job/${file.id}/retry`])
      told.push(await (await eve.request('POST', path)).text())
    told.push(JSON.stringify(await eve.send('DELETE', `/v1/assistants/files/${file.id}`)))
    told.push(JSON.stringify(await eve.send('PUT', '/api/embeddings/job', [{ id: file.id, active: false }])))
    expect(told.join('\n')).not.toMatch(/SECRET/)
    expect(app.logs()).not.toMatch(/SECRET/)
    // Nor is it a source of the owner's chats.
    expect((await ana.send('GET', `/api/embeddings/job/status/user/${ana.answer.user.id}`)).body).toEqual([])
    expect((await ana.send('GET', `/api/embeddings/job/status/${file.id}`)).status).toBe(404)
    expect(await files.of(agent._id)).toHaveLength(1)
  })

  it('are found where they are long: the passage that fits the question is in what the model is told', async () => {
    const { ana, files, promptFor } = await aWorld(kind)
    const pages = Array.from({ length: 900 }, (_, n) => `Page ${n}. ${'Nothing of interest stands here. '.repeat(30)}`)
    pages.splice(700, 0, 'The keeper of Vermilion was Marta Quill.')
    const file = await files.read('log.txt', pages.join('\n\n'))
    expect(file.passages).toBeGreaterThan(600)
    const agent = await anAgent(ana, { knowledgeFiles: [file.id], knowledge: `Typed. ${'word '.repeat(19_000)}` })
    const { system } = await promptFor('Who was the keeper of Vermilion?', agent._id)
    expect(system).toContain('Marta Quill')
    expect(system).toContain('Typed.')
    expect(system.length).toBeLessThan(30_000)
  })

  it('belong to one agent of their owner: those of somebody else are refused, the same content is kept once', async () => {
    const { ana, eve, files, evesFiles } = await aWorld(kind)
    const [one, twin, other] = [
      await files.add('one.txt', 'One.'),
      await files.add('twin.txt', 'One.'),
      await files.add('other.txt', 'Other.'),
    ]
    const save = (person: typeof ana, knowledgeFiles: string[], _id?: string) =>
      person.post('/v1/assistants', aDraft({ knowledgeFiles, ...(_id === undefined ? {} : { _id }) }))
    const gone = { status: 409, body: { code: 'agent.file-gone' } }
    for (const ids of [[one.id], [uuidv7()], ['x'], ['\u0000']]) expect(await save(eve, ids)).toMatchObject(gone)
    const agent = await anAgent(ana, { knowledgeFiles: [one.id, twin.id, one.id] })
    expect(idsOf(await files.of(agent._id))).toEqual([one.id])
    expect(await save(ana, [one.id])).toMatchObject(gone)
    // Not given, they stay; given, the others go.
    await save(ana, undefined as unknown as string[], agent._id)
    expect(idsOf(await files.of(agent._id))).toEqual([one.id])
    await save(ana, [other.id], agent._id)
    expect(idsOf(await files.of(agent._id))).toEqual([other.id])
    expect((await ana.send('GET', `/v1/assistants/files/${one.id}`)).status).toBe(404)
    expect(await evesFiles.of(agent._id)).toEqual([])
    const eleven = Array.from({ length: limits.agents.maxFiles + 1 }, () => uuidv7())
    expect((await save(ana, eleven)).status).toBe(400)
  })

  it('go with their agent and with the account, from the store and from the tables', async () => {
    const { app, ana, files } = await aWorld(kind)
    const [kept, left] = [await files.read('kept.txt', 'Kept.'), await files.read('left.txt', 'Left.')]
    const agent = await anAgent(ana, { knowledgeFiles: [left.id] })
    const other = await anAgent(ana, { knowledgeFiles: [kept.id] })
    expect((await ana.send('GET', '/api/embeddings/quota')).body).toMatchObject({ usedBytes: 10 })
    await ana.send('DELETE', `/v1/assistants/${agent._id}`)
    await removalOf(app).removeSoon()
    expect((await filesIn(app)).map((key) => key.split('/')[1])).toEqual([kept.id, kept.id])
    expect(idsOf(await files.of(other._id))).toEqual([kept.id])
    // Its public agent stays, without its files: their key is gone.
    await ana.send('DELETE', '/api/user/account', { userId: ana.answer.user.id })
    expect(await rowsOf(app)).toEqual([])
    await removalOf(app).removeSoon()
    expect(await filesIn(app)).toEqual([])
  })

  it('are used by the trial of an agent that is not saved, for whoever has them', async () => {
    const { app, ana, eve, files } = await aWorld(kind)
    const file = await files.read('lamp.txt', lampText)
    const trial = {
      ...{ name: 'Keeper', role: 'Coast', prompt: 'You know lamps.', language: 'en', knowledgeFiles: [file.id] },
      messages: [{ role: 'user', content: 'When was it lit?' }],
    }
    const systemOf = async (person: typeof ana) => {
      await (
        await person.request('POST', '/api/chat/try', JSON.stringify(trial), { 'content-type': 'application/json' })
      ).text()
      return app.gateway.requests.at(-1)?.body.messages[0]?.content
    }
    expect(await systemOf(ana)).toContain('1871')
    expect(await systemOf(eve)).not.toContain('1871')
  })
})

describe("a file of an agent's knowledge", () => {
  it('that nothing can read fails with its reason, can be tried again, and tells the model nothing', async () => {
    const { ana, files, promptFor } = await aWorld(databaseKind)
    expect(await files.upload('program.exe', 'x')).toMatchObject({ status: 415, body: { code: 'source.type' } })
    expect(await files.upload('empty.txt', '')).toMatchObject({ status: 400, body: { code: 'source.empty' } })
    const file = await files.read('broken.pdf', '%PDF-1.7 SECRETFILE')
    expect(file).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^source\./) })
    const agent = await anAgent(ana, { knowledgeFiles: [file.id] })
    expect((await promptFor('Anything?', agent._id)).system).not.toContain('SECRETFILE')
    expect(await ana.send('POST', `/v1/assistants/files/${file.id}/retry`)).toMatchObject({
      status: 200,
      body: { status: expect.stringMatching(/queued|processing/) },
    })
  })

  it('stops being read when its agent is deleted: nothing of it is left', async () => {
    const { program, pids } = aReaderThat(waitsForever)
    const { app, ana, files } = await aWorld(databaseKind, { program })
    const { id } = await files.add('lamp.txt', lampText)
    const agent = await anAgent(ana, { knowledgeFiles: [id] })
    await expect.poll(() => pids().length, { timeout: 20_000 }).toBe(1)
    await ana.send('DELETE', `/v1/assistants/${agent._id}`)
    await expect.poll(() => pids().filter(isAlive), { timeout: 20_000 }).toEqual([])
    await removalOf(app).removeSoon()
    await expect.poll(() => filesIn(app)).toEqual([])
    expect(await rowsOf(app)).toEqual([])
  })

  it('that no agent was saved with is forgotten after a day; that of an agent is not', async () => {
    const { app, ana, files } = await aWorld(databaseKind)
    const [draft, kept] = [await files.read('draft.txt', 'Draft.'), await files.read('kept.txt', 'Kept.')]
    await anAgent(ana, { knowledgeFiles: [kept.id] })
    const work = new Map<string, () => Promise<void>>()
    const scheduler = {
      every: (name: string, { run }: { run: () => Promise<void> }) => void work.set(name, run),
    } as unknown as Scheduler
    const shared = { db: app.db, store: storeOf(app), now: () => app.now() + 25 * 3_600_000 }
    const removal = new FileRemoval({ ...shared, log: pino({ level: 'silent' }) })
    const joiner = new FileJoiner({ store: { dataDir: app.dataDir, s3: undefined }, log: pino({ level: 'silent' }) })
    const accountFiles = new AccountFiles({ ...shared, joiner, serverKey: Buffer.alloc(32) })
    new AgentFileService({ ...shared, files: accountFiles, removal, scheduler }).schedule()
    removal.schedule(scheduler)
    await work.get('sources.forget-draft-files')?.()
    await work.get('sources.sweep-files')?.()
    expect((await ana.send('GET', `/v1/assistants/files/${draft.id}`)).status).toBe(404)
    expect((await filesIn(app)).map((key) => key.split('/')[1])).toEqual([kept.id, kept.id])
  })
})
