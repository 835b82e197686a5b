import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { action, World } from '../../testing/chat-world'

const isDeep = process.env.TEST_DEPTH === 'deep'

describe('in any order of what people, tabs, the server and the storage do', () => {
  it('each accepted question ends in one stored answer, received in one tab at a time, and no lease is kept', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 120, size: 'max' }), (actions) => {
        const world = new World()
        for (const each of actions) world.act(each)
        world.calm()
        expect(world.outbox.size).toBe(0)
        for (const { state, leases } of world.tabs) {
          expect(state.runs).toEqual({})
          expect([...leases]).toEqual([])
        }
        for (const [messageId, { text, end }] of world.server) {
          if (world.removed.has(messageId)) continue
          expect(world.finals.get(messageId)).toBe(1)
          const stored = world.stored.get(messageId)
          expect(stored?.status).toBe(end === 'end' ? 'completed' : end)
          expect(stored?.chat_response.content).toBe(text)
        }
      }),
      { numRuns: isDeep ? 20_000 : 2_000 },
    )
  })
})
