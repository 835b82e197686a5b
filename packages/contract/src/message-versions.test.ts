import { expect, it } from 'vitest'
import type { Message } from './chat'
import { compareVersions } from './message-versions'
import { uuidv7 } from './uuid'

const [first, second] = [uuidv7(1_000), uuidv7(2_000)]
const version = (messageId: string, fields: Partial<Message> & { seq?: number } = {}) => {
  const { seq = 3, ...rest } = fields
  return {
    run: { messageId, seq, base: 0 },
    status: 'completed',
    chat_response: { role: 'assistant', content: 'This.' },
    ...rest,
  } as const
}

it('tells the later run, and of one run the state in which more has arrived', () => {
  const pairs = [
    [version(second), version(first, { seq: 9 })],
    [version(first), version(first, { status: 'streaming', seq: 9 })],
    [version(first, { seq: 4 }), version(first)],
    [version(first), version(first, { status: 'interrupted' })],
  ] as const
  for (const [later, earlier] of pairs) {
    expect(compareVersions(later, earlier)).toBeGreaterThan(0)
    expect(compareVersions(earlier, later)).toBeLessThan(0)
  }
})

it('tells nothing where the runs do not say it', () => {
  const { run: _run, ...unknown } = version(first)
  expect(compareVersions(unknown, version(second))).toBeUndefined()
  expect(compareVersions(version('8d1b9e9c-0000-4000-8000-000000000000'), version(second))).toBeUndefined()
  expect(compareVersions(version(first), version(first))).toBeUndefined()
})
