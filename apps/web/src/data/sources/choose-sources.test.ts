import { inflateRawSync } from 'node:zlib'
import { SentSources } from '@parley/contract/sent-sources'
import { createLexicalIndex } from '@parley/reader/lexical-index'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type AskedSource, SourceChooser } from './choose-sources'
import { deflated } from './deflate'

const filler = (n: number): string => `Chapter ${n}. ${'All say the same of it. '.repeat(40)}`
const asked = (key: string, fields: Partial<AskedSource> = {}): AskedSource => ({
  ...{ key, fileId: key, name: `${key}.txt`, mediaType: 'text/plain', bytes: 9 },
  ...fields,
})

async function aChooser(texts: Record<string, string[]>) {
  const chooser = new SourceChooser()
  for (const [key, all] of Object.entries(texts)) {
    const passages = all.map((text, index) => ({ index, text, headings: [], blocks: [index, index + 1] }))
    await chooser.load(key, await deflated(JSON.stringify({ passages, index: createLexicalIndex(passages).toJSON() })))
  }
  return async (sources: AskedSource[], question: string, before: string[] = []) => {
    const chosen = await chooser.choose({ question, before, roomTokens: 1_000, sources })
    if ('missing' in chosen) throw new Error(`${chosen.missing} were not loaded`)
    const carried = inflateRawSync(Buffer.from(chosen.compressed, 'base64')).toString()
    return z.parse(SentSources, JSON.parse(carried)).sources
  }
}

it('finds for “And why?” what the question before it was about', async () => {
  const deposit = `The deposit is three rents. ${filler(43)}`
  const texts = Array.from({ length: 60 }, (_, n) => (n === 43 ? deposit : filler(n)))
  const choose = await aChooser({ lease: texts })
  const isSent = async (question: string, before: string[]) =>
    (await choose([asked('lease')], question, before)).some(({ passages }) => passages.some((p) => p.text === deposit))
  expect(await isSent('And why?', ['How high is the deposit?'])).toBe(true)
  // Without it, an overview.
  expect(await isSent('And why?', [])).toBe(false)
})

it('names a picture of which nothing can be read, and carries nothing of it', async () => {
  const choose = await aChooser({ photo: [], notes: ['Call the plumber.'] })
  const photo = asked('photo', { name: 'photo.jpg', mediaType: 'image/jpeg' })
  expect(await choose([photo, asked('notes')], 'What is there?')).toMatchObject([
    { fileId: 'photo', reading: 'passages', of: 0, passages: [] },
    { fileId: 'notes', reading: 'whole', passages: [{ n: 1 }] },
  ])
  // As a picture it goes along whole.
  expect(await choose([{ ...photo, isPicture: true }], 'What is there?')).toMatchObject([
    { fileId: 'photo', reading: 'whole' },
  ])
})
