import type { ServerFrame } from '@parley/contract/chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, applyFrame, isWhole, newAnswer } from './apply-frame'

const messageId = '01a1fbfc-eff3-78e3-a274-84f6c2574fad'
const of = { messageId, mId: messageId }
const content = (seq: number, text: string): ServerFrame => ({ event: 'content', ...of, seq, content: text })
const end = (seq: number, text: string): ServerFrame => ({
  event: 'end',
  ...of,
  seq,
  message: { mId: messageId, chat_response: { role: 'assistant', content: text } },
  length: text.length,
  sha256: '',
})
const run = (frames: ServerFrame[], from: Answer = newAnswer(messageId)): Answer => frames.reduce(applyFrame, from)

describe('an answer', () => {
  it('grows by each content frame and ends with the message of the end [CH-179, CH-180, CH-181, ST-065]', () => {
    const answer = run([
      { event: 'accepted', ...of, seq: 1 },
      { event: 'status', ...of, seq: 2, content: 'thinking' },
      content(3, 'Hel'),
      content(4, 'lo'),
    ])
    expect(answer).toMatchObject({ seq: 4, text: 'Hello', end: undefined })
    expect(run([end(5, 'Hello')], answer)).toMatchObject({ text: 'Hello', end: { kind: 'completed' } })
  })

  it('has what the model thinks beside its text, from frames, from a snapshot and from the end', () => {
    const thinking = (seq: number, text: string, ms: number): ServerFrame => ({
      ...{ event: 'reasoning', ...of, seq },
      ...{ content: text, ms },
    })
    const thinks = run([{ event: 'accepted', ...of, seq: 1 }, thinking(2, 'Hm', 900), thinking(3, ', so', 1_400)])
    expect(thinks).toMatchObject({ text: '', reasoning: { text: 'Hm, so', ms: 1_400 }, isThinking: true })
    expect(run([thinking(3, ', so', 1_400)], thinks)).toBe(thinks)
    expect(run([thinking(5, 'late', 2_000)], thinks)).toMatchObject({ hasGap: true, reasoning: { text: 'Hm, so' } })
    const writes = run([content(4, 'Yes')], thinks)
    expect(writes).toMatchObject({ text: 'Yes', reasoning: { text: 'Hm, so', ms: 1_400 }, isThinking: false })
    const reasoning = { text: 'Hm, so', ms: 1_500 }
    expect(run([{ event: 'snapshot', ...of, seq: 9, content: '', reasoning }])).toMatchObject({
      ...{ seq: 9, text: '', reasoning, isThinking: true },
    })
    expect(run([{ event: 'snapshot', ...of, seq: 9, content: 'Yes', reasoning }])).toMatchObject({ isThinking: false })
    const ended = end(5, 'Yes.')
    if (ended.event !== 'end') throw new Error('no end')
    expect(run([{ ...ended, message: { ...ended.message, reasoning } }], writes)).toMatchObject({ reasoning })
  })

  it('can no longer be stopped while it is being saved [ST-094]', () => {
    expect(run([content(1, 'x'), { event: 'saving-chat', ...of, seq: 2 }]).isSaving).toBe(true)
  })

  it('keeps its text when it is stopped or fails [CH-182, ST-095, ST-100, ST-101]', () => {
    const partial = run([content(1, 'half')])
    expect(
      run([{ event: 'error', ...of, seq: 2, code: 'chat.interrupted', content: 'interrupted' }], partial),
    ).toMatchObject({
      text: 'half',
      end: { kind: 'failed', code: 'chat.interrupted' },
    })
    expect(
      run([{ event: 'error-openrouter', ...of, seq: 2, code: 'upstream.busy', content: 'busy' }], partial),
    ).toMatchObject({
      text: 'half',
      end: { code: 'upstream.busy' },
    })
    expect(run([{ event: 'no-credits', ...of, seq: 2, content: 'no credits' }], partial)).toMatchObject({
      end: { code: 'no-credits', content: 'no credits' },
    })
  })

  it('takes over the name that is proposed [ST-096]', () => {
    expect(
      run([{ event: 'suggestion-channel-name', ...of, seq: 1, channelId: 'c', content: 'Lisbon' }]).suggestedName,
    ).toBe('Lisbon')
  })

  it('asks for what is missing instead of leaving a hole', () => {
    const answer = run([content(1, 'a'), content(3, 'c')])
    expect(answer).toMatchObject({ text: 'a', seq: 1, hasGap: true })
    expect(run([content(2, 'b'), content(3, 'c')], answer)).toMatchObject({ text: 'abc', hasGap: false })
  })

  it('starts afresh from a snapshot', () => {
    expect(
      run([content(1, 'x'), { event: 'snapshot', ...of, seq: 9, content: 'the whole text' }, content(10, '!')]),
    ).toMatchObject({
      text: 'the whole text!',
      seq: 10,
    })
  })

  it('ignores frames of another answer', () => {
    const other = '01a1fbfc-eff3-78e3-a274-000000000000'
    expect(run([{ event: 'content', messageId: other, mId: other, seq: 1, content: 'no' }])).toEqual(
      newAnswer(messageId),
    )
  })

  it('is the same text however often the connection breaks and whatever is repeated', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(60), { maxLength: 12 }),
        (parts, cuts) => {
          const frames = [
            ...parts.map((text, index) => content(index + 1, text)),
            end(parts.length + 1, parts.join('')),
          ]
          let answer = newAnswer(messageId)
          // After each break the server replays from some earlier frame on, as far as the connection lasts.
          for (const cut of cuts)
            for (const frame of frames.slice(Math.max(0, Math.min(answer.seq, cut) - 1), cut))
              answer = applyFrame(answer, frame)
          answer = run(frames.slice(answer.seq), answer)
          expect(answer.text).toBe(parts.join(''))
          expect(answer.end?.kind).toBe('completed')
        },
      ),
    )
  })

  it('is checked against the length and digest of the server', async () => {
    const sha256 = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969'
    expect(await isWhole('Hello', { length: 5, sha256 })).toBe(true)
    expect(await isWhole('Hellq', { length: 5, sha256 })).toBe(false)
    expect(await isWhole('Hell', { length: 5, sha256 })).toBe(false)
  })
})
