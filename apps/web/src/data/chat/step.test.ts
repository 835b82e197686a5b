import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { action, World } from '../../testing/chat-world'

const isDeep = process.env.TEST_DEPTH === 'deep'
const runs = { numRuns: isDeep ? 20_000 : 2_000 }
const actions = fc.array(action, { maxLength: 120, size: 'max' })

describe('in any order of what people, tabs, the server and the storage do', () => {
  it('each accepted question ends in one stored answer, received in one tab at a time, and no lease is kept', () => {
    fc.assert(
      fc.property(actions, (each) => {
        const world = after(each)
        expect(world.outbox.size).toBe(0)
        for (const { state, leases } of world.tabs) {
          expect(state.runs).toEqual({})
          expect([...leases]).toEqual([])
        }
        for (const [messageId, { text, end }] of world.server.answers) {
          if (world.removed.has(messageId)) continue
          expect(world.finals.get(messageId)).toBe(1)
          const { chat_response, run } = world.asked.get(messageId) ?? {}
          const stored = world.stored.get(messageId)
          const previous = text === '' ? run?.previous : undefined
          expect(stored?.status).toBe(previous?.status ?? (end === 'end' ? 'completed' : end))
          expect(stored?.chat_response.content).toBe(
            previous?.chat_response.content ?? (chat_response?.content ?? '') + text,
          )
        }
      }),
      runs,
    )
  })

  it('what is asked, edited, asked again or continued has one outcome: its run, a refusal that changes nothing, or a failure', () => {
    fc.assert(
      fc.property(actions, (each) => {
        const { asking, asked, server, removed, tabs, left } = after(each)
        for (const id of asking.asked.keys()) {
          const outcome = asking.outcomes.get(id)
          expect(outcome).toBeDefined()
          // A tab may be closed between the storing and the outcome.
          if (outcome !== 'closed') expect(asked.has(id)).toBe(outcome === 'stored')
        }
        for (const id of asked.keys()) expect(server.answers.has(id) || removed.has(id)).toBe(true)
        for (const { state } of [...tabs, ...left]) expect(state.asks).toEqual({})
        expect(asking.rooms.size).toBe(0)
      }),
      runs,
    )
  })
})

function after(actions: readonly Parameters<World['act']>[0][]): World {
  const world = new World()
  for (const each of actions) world.act(each)
  world.calm()
  return world
}
