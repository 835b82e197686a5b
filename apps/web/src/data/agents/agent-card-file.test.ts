import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { describe, expect, it } from 'vitest'
import { ownAgent } from '../../testing/open-editor'
import { someAgent } from '../../testing/some-agents'
import { cardFile, readCardFile } from './agent-card-file'
import { formOf } from './agent-form'

const asFile = (content: BlobPart, name = 'card.json') => new File([content], name, { type: 'application/json' })
const refusal = (file: File) =>
  readCardFile(file).then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

describe('a card of one’s own agent', () => {
  it('brings all of it back but who may see it, which is chosen anew', async () => {
    const form = formOf(ownAgent())
    const { blob, name } = cardFile(form)
    expect([name, blob.type]).toEqual(['Lighthouse-keeper.parley-agent.json', 'application/json'])
    expect(JSON.parse(await blob.text())).toMatchObject({
      format: 'parley-agent',
      version: 1,
      name: 'Lighthouse keeper',
      profileImage: '/api/faces/keeper.svg',
    })
    expect(await readCardFile(asFile(blob))).toEqual({ ...form, category: '', private: undefined, enabled: undefined })
  })

  it('names no server’s picture and no ids, and its file is named safely', async () => {
    const { blob, name } = cardFile(formOf(ownAgent({ name: '../..\\<b>é', profileImage: '/api/pictures/mine' })))
    expect(name).toBe('b-é.parley-agent.json')
    expect(await blob.text()).not.toMatch(/pictures|userId|_id|example\.com/)
    expect(cardFile(formOf(ownAgent({ name: '…' }))).name).toBe('agent.parley-agent.json')
  })
})

it('the card of somebody else’s agent has no prompt and no knowledge, because nobody has them', async () => {
  const text = await cardFile(formOf(someAgent())).blob.text()
  expect(JSON.parse(text)).toMatchObject({ knowledge: '', languages: [{ prompt: '' }, { prompt: '' }] })
})

it('a file that is none is refused before it is read, or when it is', async () => {
  expect(await refusal(asFile('x'.repeat(webLimits.agents.maxCardBytes + 1)))).toBe('agent.card-too-large')
  expect(await refusal(asFile(new Uint8Array([0xff, 0xfe, 0x00])))).toBe('agent.card-invalid')
  expect(await refusal(asFile('{"format":"parley-agent","version":7}'))).toBe('agent.card-newer')
  expect(await refusal(asFile('<svg onload="alert(1)">'))).toBe('agent.card-invalid')
})
