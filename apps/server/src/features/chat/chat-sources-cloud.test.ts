import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { AskedModel, anAnswerNode, beforeTransactions, sharedDatabase } from '../../testing/answer-node'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp, plainSetup } from '../../testing/chat-setups'
import { aTalker, requestsOf, tokenOf } from '../../testing/cloud-talker'
import { aChannel, known } from '../../testing/paying-room'
import { aPerson } from '../../testing/person'
import { aSentSource, compressed, seer } from '../../testing/sent-sources'
import { aSharedChat } from '../../testing/shared-chat'
import { sourcesOf } from '../../testing/source-calls'
import { ChannelSources } from '../sources/public/channel-sources'
import { SourcePassages } from '../sources/public/source-passages'

const fileOf = (fileId: string) => ({
  ...{ type: 'file' as const, fileId, name: 'photo.png', mediaType: 'image/png', bytes: 9, reading: 'whole' as const },
})

async function aRoom() {
  const app = await buildChatApp(plainSetup, { env: { RATE_LIMIT_SCALE: '0' } })
  app.gateway.models = [seer, ...app.gateway.models]
  const talker = await aTalker(app)
  const { person, channelId } = talker
  const sources = sourcesOf(person)
  const add = async (name: string, content: string | Uint8Array) =>
    (await sources.ended((await sources.add(channelId, name, content)).id)).id
  const switched = (id: string, active: boolean) => person.send('PUT', '/api/embeddings/job', [{ id, active }])
  const prompt = () => known(known(requestsOf(app).at(-1)).body.messages.at(-1))
  return { app, ...talker, sources, add, switched, prompt }
}

describe('a question in a cloud channel with sources', () => {
  it('is answered from those that are active, and the answer keeps what was read and cited', async () => {
    const { app, client, ask, add, switched, person, prompt, stored, channelId } = await aRoom()
    const keys = await add('keys.txt', 'Two keys are handed over.')
    const fees = await add('fees.txt', 'The late fee is 2 %.')
    const old = await add('old.txt', 'The late fee was 9 %.')
    await switched(old, false)
    // Those of a stranger, and what comes with the question, are no sources of the channel.
    const eve = await aTalker(app, 'eve@example.org')
    const hers = sourcesOf(eve.person)
    await hers.ended((await hers.add(eve.channelId, 'eve.txt', 'The late fee of Eve.')).id)
    const forged = compressed([aSentSource('x', ['The late fee is forged.'])])
    app.gateway.next({ text: 'It is 2 % [2]. And [3].' })
    const id = ask('How high is the late fee?', { compressedDocuments: forged })
    const { message } = await client.untilEvent('end', id)
    expect(prompt().content).toMatch(/\[1\] ---\nTwo keys are handed over\.\n/)
    expect(prompt().content).toMatch(/\[2\] ---\nThe late fee is 2 %\.\n/)
    for (const other of ['9 %', 'of Eve', 'forged']) expect(prompt().content).not.toContain(other)
    const cited = { type: 'source', n: 2, title: 'fees.txt', fileId: fees, passage: 'The late fee is 2 %.' }
    expect(message).toMatchObject({ read: [{ fileId: keys }, { fileId: fees, reading: 'whole' }], sources: [cited] })
    const [kept] = await stored()
    expect(kept).toMatchObject({ read: message.read, sources: [cited], status: 'completed' })
    // What a forward copies.
    const target = await aChannel(person)
    await person.post('/api/chat/forward-message', { messageId: id, channelIds: [target] })
    const copies = (await person.send('GET', `/api/chat/documents/0/9/${target}`)).body as { content: object[] }
    expect(copies.content).toMatchObject([{ sources: [cited] }])
    // Programs ask by HTTP; what is not sent any more is not cited any more.
    await switched(fees, false)
    app.gateway.next({ text: 'Unknown [2].' })
    const response = await person.request(
      'POST',
      '/api/chat/stream',
      JSON.stringify({ message: 'How high is the late fee?', channelId }),
      { 'content-type': 'application/json' },
    )
    expect(await response.text()).toMatch(/"event":"end".*"read":\[/)
    expect(prompt().content).not.toContain('2 %')
    expect((await stored()).at(-1)).not.toHaveProperty('sources')
  })

  it('keeps its numbers when it is continued, also of what is gone, and may be of files alone', async () => {
    const { app, client, ask, add, switched, stored, prompt } = await aRoom()
    const keys = await add('keys.txt', 'Two keys are handed over.')
    const fees = await add('fees.txt', 'The late fee is 2 %.')
    app.gateway.next({
      text: 'A fee of 2 % [2], and so on and on',
      breakAfter: 30,
      breakBy: 'error',
      tokensPerSecond: 400,
    })
    const file = { type: 'file' as const, name: 'fees.txt', mediaType: 'text/plain', bytes: 20 }
    const id = ask('', { files: [{ ...file, fileId: fees, reading: 'whole' }] })
    await client.untilEvent('error', id)
    expect(prompt().content).toMatch(/I have added “fees\.txt”\. Say briefly what is in there\.$/)
    // Of the files that were added alone, so that its passage was the first one.
    expect(prompt().content).toContain('[1] ---\nThe late fee is 2 %.')
    expect((await stored())[0]).toMatchObject({ status: 'interrupted', chat_request: '', read: [{ fileId: fees }] })
    app.gateway.next({ text: 'A fee of 2 % [1], and', breakAfter: 19, breakBy: 'error', tokensPerSecond: 400 })
    const again = ask('', { mId: id, messageId: uuidv7(), files: [{ ...file, fileId: fees, reading: 'whole' }] })
    await client.untilEvent('error', again)
    expect((await stored())[0]).toMatchObject({ status: 'interrupted', sources: [{ n: 1, fileId: fees }] })
    await switched(fees, false)
    app.gateway.next({ text: ' two keys [2].' })
    const rest = ask('Continue.', { mId: id, messageId: uuidv7(), isContinuation: true })
    await client.untilEvent('end', rest)
    expect(prompt().content).toContain('[2] ---\nTwo keys are handed over.')
    expect((await stored())[0]).toMatchObject({
      ...{ status: 'completed', read: [{ fileId: fees }, { fileId: keys }] },
      sources: [
        { n: 1, fileId: fees },
        { n: 2, fileId: keys },
      ],
    })
  })

  it('goes to a model that sees with its pictures, drawn anew, and to another with their text', async () => {
    const { app, client, ask, add, prompt, sources } = await aRoom()
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="400"><rect width="3000" height="400" fill="#fff"/><text x="100" y="260" font-size="200" font-family="sans-serif">TAXI 4711</text></svg>'
    const photo = await add('taxi.png', await sharp(Buffer.from(svg)).png().toBuffer())
    await sources.ended(photo)
    app.gateway.always({ text: 'A taxi.' })
    const seen = await client.untilEvent('end', ask('Which taxi?', { model: seer.id }))
    const [, data = ''] = (prompt().pictures?.[0] ?? '').split('data:image/jpeg;base64,')
    expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({
      ...{ format: 'jpeg', width: limits.sources.maxPicturePixels },
    })
    expect(prompt().content).not.toContain('4711')
    expect(seen.message.read).toMatchObject([{ fileId: photo, reading: 'picture' }])
    const told = await client.untilEvent('end', ask('Which taxi?'))
    expect(prompt().pictures).toBeUndefined()
    expect(prompt().content).toContain('4711')
    expect(told.message.read).toMatchObject([{ fileId: photo, reading: 'whole' }])
  })

  it('that says little by itself is answered from what the question before it was about', async () => {
    const { app, client, ask, add, prompt } = await aRoom()
    const filler = 'All say the same of it. '.repeat(40)
    const chapters = Array.from(
      { length: 60 },
      (_, n) => `# Chapter ${n}\n\n${n === 43 ? 'The deposit is 900. ' : ''}${filler}`,
    )
    await add('lease.md', chapters.join('\n\n'))
    app.gateway.always({ text: 'So it is.' })
    await client.untilEvent('end', ask('And why?', { model: 'stand-in/large' }))
    expect(prompt().content).toContain('All say the same')
    expect(prompt().content).not.toContain('The deposit is 900.')
    await client.untilEvent('end', ask('How high is the deposit?', { model: 'stand-in/large' }))
    await client.untilEvent('end', ask('E por quê?', { model: 'stand-in/large' }))
    expect(prompt().content).toContain('The deposit is 900.')
  })

  it('tells of a picture that the model does not see, and that has no text, that nothing of it was read', async () => {
    const { app, client, ask, add, prompt, stored } = await aRoom()
    const blank = sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
    const photo = await add('photo.png', await blank.png().toBuffer())
    app.gateway.always({ text: 'I see nothing.' })
    const { message } = await client.untilEvent('end', ask('What is on it?'))
    const nothing = { fileId: photo, name: 'photo.png', reading: 'passages', sent: 0, of: 0 }
    expect(message.read).toMatchObject([nothing])
    expect((await stored())[0]?.read).toMatchObject([nothing])
    expect(prompt().content).toBe('What is on it?')
    const seen = await client.untilEvent('end', ask('And now?', { model: seer.id }))
    expect(seen.message.read).toMatchObject([{ fileId: photo, reading: 'picture' }])
    expect((await client.untilEvent('error', ask('', { files: [fileOf(photo)] }))).code).toBe('source.no-text')
  })

  it('quotes them where no model is connected', async () => {
    const app = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0' } })
    const { person, channelId, client, ask } = await aTalker(app)
    const sources = sourcesOf(person)
    await sources.ended((await sources.add(channelId, 'fees.txt', 'The late fee is 2 %.')).id)
    const { message } = await client.untilEvent('end', ask('How high is the late fee?'))
    expect(message.chat_response.content).toMatch(
      /No model is connected[\s\S]*> The late fee is 2 %\.[\s\S]*LLM_API_KEY/,
    )
    expect(message.sources).toMatchObject([{ n: 1, title: 'fees.txt' }])
  })

  it('is answered for a member from the sources of the channel’s owner, and from none of the member’s own', async () => {
    const { app, ana, bruno, channelId, sockets, ask } = await aSharedChat(plainSetup)
    const sources = sourcesOf(ana)
    await sources.ended((await sources.add(channelId, 'plan.txt', 'We meet on Monday.')).id)
    const own = sourcesOf(bruno)
    await own.ended((await own.add(await aChannel(bruno), 'own.txt', 'We meet on Friday.')).id)
    app.gateway.next({ text: 'On Monday [1].' })
    const follower = await new Visitor(tokenOf(bruno)).connect(app, { frames: 'file,source' })
    const id = ask(follower, 'When do we meet?')
    const { message } = await follower.untilEvent('end', id)
    expect(message.sources).toMatchObject([{ n: 1, title: 'plan.txt' }])
    const prompt = JSON.stringify(requestsOf(app).at(-1)?.body)
    expect(prompt).toContain('Monday')
    expect(prompt).not.toContain('Friday')
    sockets.rita.send({ event: 'resume', messageId: id, afterSeq: 0 })
    expect((await sockets.rita.untilEvent('end', id)).message.sources).toEqual(message.sources)
  })
})

describe.each(databases)('a source on %s', (kind) => {
  it('that is removed while a question is prepared does not go along', async () => {
    const database = await sharedDatabase(kind)
    const app = await buildTestApp({ database, env: { RATE_LIMIT_SCALE: '0', SIGNUP_CREDITS: '10' } })
    const ana = await aPerson(app, 'ana@example.org')
    const channelId = await aChannel(ana)
    const sources = sourcesOf(ana)
    const ids: string[] = []
    for (const [name, text] of [['a.txt', 'Alpha.'] as const, ['b.txt', 'Beta.'] as const])
      ids.push((await sources.ended((await sources.add(channelId, name, text)).id)).id)
    const llm = new AskedModel()
    const remove = () => ana.send('DELETE', `/api/embeddings/job/${ids[0]}`)
    const db = beforeTransactions(app.db, [remove])
    const channelSources = new ChannelSources({
      db: app.db,
      files: { read: () => Promise.reject(new Error()) },
      log: app.log,
    })
    const node = anAnswerNode(db, { llm, sources: [(asked) => channelSources.find(asked)] })
    await node.ask(ana.answer.user.id, 'What is there?', { storageMode: 'cloud', channelId })
    await expect.poll(() => llm.requests.length).toBe(1)
    const asked = JSON.stringify(llm.requests)
    expect(asked).toContain('Beta.')
    expect(asked).not.toContain('Alpha.')
  })

  it('of many passages is read from its beginning to its end where no word of the question is in it', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(app, 'ana@example.org')
    const channelId = await aChannel(ana)
    const sources = sourcesOf(ana)
    const text = Array.from({ length: 700 }, (_, n) => `# Chapter ${n}\n\n${'All say the same. '.repeat(60)}`)
    const { passages = 0 } = await sources.ended((await sources.add(channelId, 'long.md', text.join('\n\n'))).id)
    expect(passages).toBeGreaterThan(600)
    const found = new SourcePassages({ db: app.db })
    const [sent] = await found.passagesFor({
      ...{ ownerId: ana.answer.user.id, channelId, question: 'Zusammenfassung?', roomTokens: 4_000 },
    })
    expect(sent?.passages.length).toBeGreaterThan(5)
    const chapters = sent?.passages.map(({ headings = [] }) => Number(headings[0]?.split(' ')[1])) ?? []
    expect(chapters[0]).toBe(0)
    expect(chapters.at(-1)).toBeGreaterThan(500)
  })
})
