import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { anApp } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { sourcesOf } from '../../testing/source-calls'
import { SourcePassages } from './public/source-passages'

const chapter = (n: number): string => `Capítulo ${n}. ${'O texto comum de todos os capítulos. '.repeat(20)}`
const book = [...Array.from({ length: 60 }, (_, n) => chapter(n)), 'A multa por atraso é de 2 %, cobrada no Açougue.']

describe.each(databases)('what of sources goes along with a question on %s', (kind) => {
  const aChannel = async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    const ownerId = ana.answer.user.id
    const passages = new SourcePassages({ db: app.db })
    const ask = (question: string, roomTokens: number) =>
      passages.passagesFor({ ownerId, channelId, question, roomTokens })
    return { app, ana, cloud, channelId, sources: sourcesOf(ana), passages, ask }
  }

  it('is all of it where it fits, numbered through, and nothing of what is switched off', async () => {
    const { ana, channelId, sources, ask } = await aChannel()
    const one = await sources.ended((await sources.add(channelId, 'one.txt', 'First.\n\nSecond.')).id)
    const two = await sources.ended((await sources.add(channelId, 'two.txt', 'Third.')).id)
    expect(await ask('anything', 1_000)).toEqual([
      {
        ...{ fileId: one.id, name: 'one.txt', mediaType: 'text/plain', bytes: 15, reading: 'whole', of: 1 },
        passages: [{ n: 1, text: 'First.\nSecond.' }],
      },
      expect.objectContaining({ fileId: two.id, passages: [{ n: 2, text: 'Third.' }] }),
    ])
    await ana.send('PUT', '/api/embeddings/job', [{ id: one.id, active: false }])
    expect((await ask('anything', 1_000)).map(({ fileId }) => fileId)).toEqual([two.id])
    expect(await ask('anything', 0)).toEqual([])
  })

  it('is the passages with its rare words where it does not fit, whatever their accents', async () => {
    const { channelId, sources, ask } = await aChannel()
    await sources.ended((await sources.add(channelId, 'book.txt', book.join('\n\n'))).id)
    const [sent] = await ask('De quanto é o texto da multa, cobrada no acougue?', 600)
    expect(sent).toMatchObject({ reading: 'passages', of: expect.any(Number) })
    expect(sent?.passages.some(({ text }) => text.includes('A multa por atraso'))).toBe(true)
    expect(sent?.passages.length).toBeLessThan(10)
  })

  it('is found in sources of many passages likewise, by the database first', async () => {
    const { channelId, sources, ask } = await aChannel()
    const pages = Array.from({ length: 700 }, (_, n) => `${chapter(n)} ${'E mais do mesmo. '.repeat(30)}`)
    pages.splice(400, 0, 'A multa por atraso é de 2 %, cobrada no Açougue.')
    const { passages } = await sources.ended((await sources.add(channelId, 'long.txt', pages.join('\n\n'))).id)
    expect(passages).toBeGreaterThan(600)
    const [sent] = await ask('De quanto é o texto da multa, cobrada no acougue?', 1_000)
    expect(sent).toMatchObject({ reading: 'passages', of: passages })
    expect(sent?.passages.some(({ text }) => text.includes('A multa por atraso'))).toBe(true)
    expect(sent?.passages.length).toBeLessThan(10)
  })

  it('is never of another channel or another person', async () => {
    const { app, cloud, channelId, sources, passages, ask } = await aChannel()
    await sources.ended((await sources.add(channelId, 'secret.txt', 'The canary sings.')).id)
    const other = await cloud.create()
    const eve = await aPerson(app, 'eve@example.org')
    const question = { question: 'canary', roomTokens: 1_000 }
    expect(await ask('canary', 1_000)).toHaveLength(1)
    const [anaId, eveId] = [(await sources.list(channelId))[0]?.user_id ?? '', eve.answer.user.id]
    expect(await passages.passagesFor({ ownerId: anaId, channelId: other.id, ...question })).toEqual([])
    expect(await passages.passagesFor({ ownerId: eveId, channelId, ...question })).toEqual([])
  })
})
