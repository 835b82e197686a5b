// What a question carries of the sources of its chat, over the real storage of this device and its reader.
import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { inflateRawSync } from 'node:zlib'
import type { CreateChatMessage, Message } from '@parley/contract/chat'
import type { FilePart } from '@parley/contract/parts'
import { SentSources, tokensOfSources } from '@parley/contract/sent-sources'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod/mini'
import { InPageReader } from '../../testing/in-page-reader'
import { createChannel } from '../channels/channel-actions'
import { sourcesOf } from '../channels/channel-sources'
import { filesOf } from '../channels/fresh-sources'
import { homeOf } from '../channels/homes'
import { noteSources } from '../channels/known-sources'
import { localChannels } from '../channels/local-channels'
import { newChatDraftId } from '../channels/new-chat'
import { outbox } from '../channels/outbox'
import { sourcesInCloud } from '../channels/question-sources'
import { addFiles, removeSource, saveSwitches } from '../channels/source-actions'
import { isTemporary } from '../channels/temporary-chats'
import { chooseModel } from '../models/chosen-model'
import { writeModelsCache } from '../models/models-cache'
import { aFile } from '../sources/source-store-suite'
import { editQuestion } from './edit-question'
import { enqueue } from './queue-pump'
import { continueMessage, resendMessage } from './resend-message'
import { dropAnswers, sendMessage } from './send-message'
import { withSources } from './sent-sources'
import { likelySourceTokens } from './source-tokens'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('Worker', InPageReader)
  // Nothing is answered: what is asked stays in the outbox.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
})
afterEach(async () => {
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  chooseModel(undefined)
})

async function aChat() {
  const channel = await createChannel({ mode: 'local' })
  onTestFinished(async () => {
    await dropAnswers(channel.id)
    await homeOf(channel).remove(channel.id)
  })
  return channel.id
}

/** Adds files to a chat, or to the draft of one, and waits until they are read. */
async function add(channelId: string, ...files: File[]): Promise<FilePart[]> {
  // One after the other: those of one moment are in no order.
  for (const file of files) await addFiles(channelId, [file])
  const read = await vi.waitFor(
    async () => {
      const sources = await (await sourcesOf(channelId)).list(channelId)
      expect(sources.every(({ status }) => status === 'processed')).toBe(true)
      return sources
    },
    { timeout: 20_000 },
  )
  return filesOf(read)
}

const bodies = async (channelId: string): Promise<CreateChatMessage[]> =>
  (await outbox.list()).map(({ body }) => body).filter((body) => body.channelId === channelId)
const lastOf = async (channelId: string): Promise<CreateChatMessage> => {
  const body = (await bodies(channelId)).at(-1)
  if (!body) throw new Error('nothing was asked')
  return body
}
const sentWith = ({ compressedDocuments: sent }: CreateChatMessage) =>
  sent === undefined
    ? undefined
    : z.parse(SentSources, JSON.parse(inflateRawSync(Buffer.from(sent, 'base64')).toString())).sources
const namesSent = async (channelId: string) => sentWith(await lastOf(channelId))?.map(({ name }) => name)
const messagesOf = async (channelId: string): Promise<Message[]> => (await localChannels.messages(channelId)).messages

/** The answer to the last question has come. */
async function answer(channelId: string, text: string, fields: Partial<Message> = {}): Promise<Message> {
  const asked = (await messagesOf(channelId)).at(-1)
  if (!asked) throw new Error('nothing was asked')
  await dropAnswers(channelId)
  const answered: Message = {
    ...{ ...asked, chat_response: { role: 'assistant', content: text }, status: 'completed' },
    ...fields,
  }
  await localChannels.put(answered)
  return answered
}

describe('a question of a chat on this device', () => {
  it('carries the active sources, names what was added with it, and keeps that in its exchange [ST-085]', async () => {
    const id = await aChat()
    const files = await add(id, aFile(), aFile('notes.txt', 'Call the plumber.'))
    await sendMessage({ channelId: id, text: 'What is the rent?', files, mode: 'local' })
    const body = await lastOf(id)
    expect(body).toMatchObject({
      typeChat: { prefix: 'document' },
      files: [{ name: 'lease.txt' }, { name: 'notes.txt' }],
    })
    expect(sentWith(body)).toMatchObject([
      { name: 'lease.txt', reading: 'whole', passages: [{ n: 1, text: expect.stringContaining('900') }] },
      { name: 'notes.txt', passages: [{ n: 2 }] },
    ])
    expect((await messagesOf(id))[0]?.files).toEqual(files)
  })

  it('without sources carries nothing of them', async () => {
    const id = await aChat()
    await sendMessage({ channelId: id, text: 'Hello', mode: 'local' })
    const body = await lastOf(id)
    expect(body.typeChat).toEqual({})
    expect('compressedDocuments' in body || 'files' in body || 'pictures' in body).toBe(false)
  })

  it('may consist of files alone, and begin its chat with those of the draft', async () => {
    const files = await add(newChatDraftId(false), aFile())
    const sent = await sendMessage({ channelId: undefined, text: '', files, mode: 'local' })
    const id = sent?.channelId ?? ''
    expect(await lastOf(id)).toMatchObject({ question: '', files: [{ name: 'lease.txt' }] })
    expect(await namesSent(id)).toEqual(['lease.txt'])
    expect(await sendMessage({ channelId: id, text: ' ', mode: 'local' })).toBeUndefined()
  })

  it('of a temporary chat carries them too', async () => {
    await import('../channels/new-chat').then(({ chooseTemporary }) => chooseTemporary(true))
    const files = await add(newChatDraftId(true), aFile())
    const sent = await sendMessage({ channelId: undefined, text: 'Rent?', files, mode: 'local', isTemporary: true })
    const id = sent?.channelId ?? ''
    expect(isTemporary(id)).toBe(true)
    expect(await namesSent(id)).toEqual(['lease.txt'])
  })

  it('that is asked again, edited, or queued is answered from what is active then', async () => {
    const id = await aChat()
    const [lease] = await add(id, aFile())
    await sendMessage({ channelId: id, text: 'Rent?', files: lease ? [lease] : [], mode: 'local' })
    const { mId } = await answer(id, 'None is named.')
    await add(id, aFile('notes.txt', 'The rent is 950 euro.'))
    await saveSwitches(id, [{ id: lease?.fileId ?? '', isActive: false }])

    await resendMessage(id, mId)
    expect(await namesSent(id)).toEqual(['notes.txt'])
    // What was added with it is as it was.
    expect((await lastOf(id)).files).toEqual([lease])
    await answer(id, 'It is 950 euro.')
    await editQuestion(id, mId, 'How much is the rent?')
    expect(await namesSent(id)).toEqual(['notes.txt'])
    expect(await lastOf(id)).toMatchObject({ question: 'How much is the rent?', files: [lease] })
    await answer(id, 'It is 950 euro.')

    const more = (await add(id, aFile('more.txt', 'There is a balcony.'))).at(-1)
    await enqueue(id, { text: 'A balcony?', files: more ? [more] : [] })
    await vi.waitFor(async () => expect((await lastOf(id)).question).toBe('A balcony?'))
    expect(await namesSent(id)).toEqual(['notes.txt', 'more.txt'])
    expect((await lastOf(id)).files).toEqual([more])
  })

  it('that goes on with an answer keeps the numbers that it cites, and is searched for by what was asked', async () => {
    const id = await aChat()
    await add(id, aFile('a.txt', 'The rent is 900 euro.'), aFile('b.txt', 'There is a balcony.'))
    await sendMessage({ channelId: id, text: 'Rent?', mode: 'local' })
    const [a] = sentWith(await lastOf(id)) ?? []
    const cited = {
      type: 'source' as const,
      n: 2,
      title: 'a.txt',
      fileId: a?.fileId,
      passage: a?.passages[0]?.text ?? '',
    }
    const { mId } = await answer(id, 'It is [2]', { status: 'interrupted', sources: [cited] })
    await continueMessage(id, mId, 'Go on.')
    const numbers = sentWith(await lastOf(id))?.map(({ name, passages }) => [name, passages.map(({ n }) => n)])
    expect(numbers).toEqual([
      ['a.txt', [2]],
      ['b.txt', [1]],
    ])
  })

  it('is searched for by what was asked before it where it says little by itself', async () => {
    const model = { id: 'stand-in/small', name: 'Small', free: true, contextTokens: 8_192 }
    writeModelsCache([model])
    chooseModel(model)
    const id = await aChat()
    const filler = 'All say the same of it. '.repeat(40)
    const chapters = Array.from(
      { length: 60 },
      (_, n) => `# Chapter ${n}\n\n${n === 43 ? 'The deposit is 900. ' : ''}${filler}`,
    )
    await add(id, aFile('lease.md', chapters.join('\n\n')))
    const isFound = async () => sentWith(await lastOf(id))?.some(({ passages }) => passages.some(isOfDeposit))
    const isOfDeposit = ({ text }: { text: string }): boolean => text.includes('The deposit is 900.')
    await sendMessage({ channelId: id, text: 'And why?', mode: 'local' })
    expect(await isFound()).toBe(false)
    await answer(id, 'I do not know.')
    await sendMessage({ channelId: id, text: 'How high is the deposit?', mode: 'local' })
    await answer(id, '900.')
    await sendMessage({ channelId: id, text: 'And why is that?', mode: 'local' })
    expect(await isFound()).toBe(true)
  })

  it('leaves out what was removed since', async () => {
    const id = await aChat()
    const [lease] = await add(id, aFile())
    await removeSource({ id: lease?.fileId ?? '', channelId: id })
    await sendMessage({ channelId: id, text: 'Rent?', mode: 'local' })
    expect(await namesSent(id)).toBeUndefined()
    expect((await lastOf(id)).typeChat).toEqual({})
  })

  it('has less room for what was said before where the sources take it', async () => {
    const model = { id: 'stand-in/small', name: 'Small', free: true, contextTokens: 16_384 }
    writeModelsCache([model])
    chooseModel(model)
    const id = await aChat()
    const long = (n: number): Message => ({
      ...{ mId: `m${n}`, channelId: id, status: 'completed', datetime: new Date(n * 1_000).toISOString() },
      chat_request: `q${n} `.padEnd(1_000, 'x'),
      chat_response: { role: 'assistant', content: `a${n} `.padEnd(1_000, 'y') },
    })
    await localChannels.addMessages(
      id,
      Array.from({ length: 40 }, (_, n) => long(n + 1)),
    )
    await sendMessage({ channelId: id, text: 'And now?', mode: 'local' })
    const without = (await lastOf(id)).earlierMessages?.length ?? 0
    await dropAnswers(id)
    await add(id, aFile('long.txt', Array.from({ length: 900 }, (_, n) => `Line ${n} of it.`).join('\n\n')))
    await sendMessage({ channelId: id, text: 'And then?', mode: 'local' })
    expect(without).toBeGreaterThan(0)
    expect((await lastOf(id)).earlierMessages?.length ?? 0).toBeLessThan(without - 10)
    // As the gauge has said before.
    const taken = tokensOfSources(sentWith(await lastOf(id)) ?? [])
    const likely = likelySourceTokens(await (await sourcesOf(id)).list(id), { model, isCloud: false })
    expect(Math.abs(likely - taken) / taken).toBeLessThan(0.15)
  })
})

it('an answer whose node died cites what was sent, and nothing that was not', async () => {
  const id = await aChat()
  await add(id, aFile())
  await sendMessage({ channelId: id, text: 'What is the rent?', mode: 'local' })
  const [entry] = (await outbox.list()).filter(({ body }) => body.channelId === id)
  const [asked] = await messagesOf(id)
  if (!entry || !asked) throw new Error('nothing was asked')
  const died = (content: string): Message => ({
    ...{ ...asked, status: 'interrupted', chat_response: { role: 'assistant', content } },
  })
  expect(await withSources(entry, died('It is 900 euro [1], or [7].'))).toMatchObject({
    sources: [{ n: 1, title: 'lease.txt', passage: expect.stringContaining('900') }],
    read: [{ name: 'lease.txt', reading: 'whole', sent: 1, of: 1 }],
  })
  // Of an answer that has no word, and of one that the server has ended, nothing is made up.
  expect(await withSources(entry, died(''))).toEqual(died(''))
  const ended = { ...died('It is [1].'), status: 'completed' as const, read: [] }
  expect(await withSources(entry, ended)).toEqual(ended)
})

it('a question to the cloud names its files and carries no documents: the server has them [ST-085]', async () => {
  const asked = { channelId: 'c', question: 'Rent?', roomTokens: 1_000, seesPictures: false, cited: undefined }
  expect((await sourcesInCloud(asked)).fields).toEqual({ typeChat: {} })
  const file: FilePart = {
    type: 'file',
    fileId: 'f',
    name: 'a.pdf',
    mediaType: 'application/pdf',
    bytes: 1,
    reading: 'whole',
  }
  expect((await sourcesInCloud({ ...asked, files: [file] })).fields).toEqual({ typeChat: { prefix: 'document' } })
  const source = {
    id: 'f',
    channelId: 'c',
    type: 'document',
    name: 'a.pdf',
    mediaType: 'application/pdf',
    bytes: 1,
  } as const
  const known = { ...source, sha256: '', status: 'processed', isActive: true, notices: [], addedAt: '' } as const
  noteSources('c', [{ ...known, notices: [] }])
  expect((await sourcesInCloud(asked)).fields).toEqual({ typeChat: { prefix: 'document' } })
  noteSources('c', [{ ...known, notices: [], isActive: false }])
  expect((await sourcesInCloud(asked)).fields).toEqual({ typeChat: {} })
})
