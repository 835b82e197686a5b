import { describe, expect, it } from 'vitest'
import type { Message } from './chat'
import type { Run } from './conversations'
import { messageOf, recordsOf } from './message-adapter'
import { textOf } from './parts'
import { runsToWrite, withOwnIds } from './stored-message'

const runIds = [1, 2, 3].map((n) => `019f0c39-e00${n}-7000-8000-000000000000`) as [string, string, string]
const answer = (content: string): Message['chat_response'] => ({ role: 'assistant', content })
const aMessage = (fields: Partial<Message> = {}): Message => ({
  ...{ mId: runIds[0], channelId: 'c', chat_request: 'What?', chat_response: answer('This.'), status: 'completed' },
  ...{ datetime: '2026-01-01T00:00:00.000Z', run: { messageId: runIds[0], seq: 4, base: 0 } },
  ...fields,
})
const stored = recordsOf(aMessage(), null)
const [first] = stored.runs as [Run]
const shown = { run: first, message: aMessage() }

describe('a message whose exchange is stored', () => {
  it('writes its own run anew, which keeps its beginning', () => {
    const runs = runsToWrite(aMessage({ chat_response: answer('That.') }), stored.runs)
    expect(runs.map((run) => [run.id, textOf(run.answer), run.startedAt])).toEqual([
      [first.id, 'That.', first.startedAt],
    ])
  })

  it('of another run adds that run, later than the others', () => {
    const again = aMessage({
      run: { messageId: runIds[1], seq: 0, base: 0 },
      status: 'queued',
      chat_response: answer(''),
    })
    const runs = runsToWrite(again, stored.runs, shown)
    expect(runs.map(({ id }) => id)).toEqual([runIds[1]])
    expect((runs[0]?.startedAt ?? '') > first.startedAt).toBe(true)
    expect(() => runsToWrite(again, stored.runs)).toThrow(RangeError)
  })

  it('ends a run that it takes the place of', () => {
    const waiting: Run = { ...first, status: 'streaming' }
    const again = aMessage({ run: { messageId: runIds[1], seq: 0, base: 0 } })
    const runs = runsToWrite(again, [waiting], { run: waiting, message: aMessage({ status: 'streaming' }) })
    expect(runs.map(({ id, status }) => [id, status])).toEqual([
      [first.id, 'interrupted'],
      [runIds[1], 'completed'],
    ])
  })

  it('that goes on with what is shown continues it, and one that goes on with another text keeps that', () => {
    const goesOn = (content: string, base: number): Message =>
      aMessage({ chat_response: answer(content), run: { messageId: runIds[1], seq: 2, base, question: 'Go on' } })
    const runs = runsToWrite(goesOn('This. And that.', 5), stored.runs, shown)
    expect(runs.map((run) => [run.id, run.continues, textOf(run.answer)])).toEqual([
      [runIds[1], first.id, ' And that.'],
    ])
    const others = runsToWrite(goesOn('Other. And that.', 6), stored.runs, shown)
    expect(others.map((run) => textOf(run.answer))).toEqual(['Other.', ' And that.'])
    expect(messageOf({ exchange: stored.exchange, runs: [...stored.runs, ...others] }, runIds[1])).toMatchObject({
      chat_response: answer('Other. And that.'),
    })
  })

  it('without a run says what is shown, or becomes a run of its own', () => {
    const { run: _run, ...bare } = aMessage({ chat_response: answer('Imported') })
    expect(runsToWrite(bare, stored.runs).map(({ id }) => id)).toEqual([first.id])
    const later: Run = { ...first, id: runIds[2], startedAt: '2027-01-01T00:00:00.000Z' }
    const [own] = runsToWrite(bare, [first, later], { run: later, message: aMessage() })
    expect([runIds[0], runIds[2]]).not.toContain(own?.id)
    expect((own?.startedAt ?? '') > later.startedAt).toBe(true)
  })
})

it('runs whose ids are taken get others, which what continues them follows', () => {
  const continued: Run = { ...first, id: runIds[1], continues: first.id }
  const taken = new Set([first.id, runIds[1]])
  expect(withOwnIds([first, continued], 'other', (id) => taken.has(id))).toMatchObject([
    { id: 'other', exchangeId: 'other' },
    { id: 'other:1', exchangeId: 'other', continues: 'other' },
  ])
  const [own] = withOwnIds([first], runIds[2], (id) => taken.has(id))
  expect(own).toMatchObject({ id: runIds[2], seq: 4 })
})
