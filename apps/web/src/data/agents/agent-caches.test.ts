import 'fake-indexeddb/auto'
import type { OwnAgent, SeenAgent } from '@parley/contract/agents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { someAgent } from '../../testing/some-agents'
import { forgetSession } from '../session/stored-session'
import {
  likeRecord,
  overlayCaches,
  pruneDeleted,
  readAgentCaches,
  reconcileLikes,
  refreshAgentCaches,
  storeChanged,
  storeCreated,
  storeDeleted,
  storeLike,
} from './agent-caches'

const start = Date.parse('2026-11-21T12:00:00Z')
const minutes = (count: number): number => count * 60_000
const me = '0193f000-0000-7000-8000-000000000001'
const stored = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null')

beforeEach(async () => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  localStorage.clear()
  await seedSession()
  refreshAgentCaches()
})
afterEach(() => {
  forgetSession()
  vi.useRealTimers()
})

/** As the person sees a page of their own agents that was asked for at this time. */
function seen(agents: readonly SeenAgent[], requestedAt: number, options = { userId: me, isFirstOfMine: true }) {
  return overlayCaches({ agents, total: agents.length, requestedAt }, readAgentCaches(), options)
}
const names = ({ agents }: { agents: readonly SeenAgent[] }): string[] => agents.map(({ name }) => name)

describe('what the browser remembers of agents', () => {
  it('a new one stands first in a list that was read before it was made, for 10 minutes and for its maker alone [AG-057]', () => {
    storeCreated(someAgent({ _id: 'new', name: 'New', userId: me }))
    expect(seen([someAgent()], start - 1)).toMatchObject({ total: 2 })
    expect(names(seen([someAgent()], start - 1))).toEqual(['New', 'Lighthouse keeper'])
    expect(names(seen([someAgent()], start - 1, { userId: 'somebody else', isFirstOfMine: true }))).toEqual([
      'Lighthouse keeper',
    ])
    expect(names(seen([someAgent()], start - 1, { userId: me, isFirstOfMine: false }))).toEqual(['Lighthouse keeper'])
    // A list that is newer knows better: another device may have deleted it.
    expect(names(seen([someAgent()], start + 1))).toEqual(['Lighthouse keeper'])
    vi.setSystemTime(start + minutes(10) - 1)
    expect(names(seen([], start - 1))).toEqual(['New'])
    vi.setSystemTime(start + minutes(10))
    expect(names(seen([], start - 1))).toEqual([])
  })

  it('leaves no instructions, knowledge or address in the browser', () => {
    const own: OwnAgent = {
      ...someAgent({ userId: me }),
      prompt: 'SECRET',
      knowledge: 'SECRET',
      userEmail: 'SECRET@example.org',
    }
    storeCreated({ ...own, languages: own.languages.map((texts) => ({ ...texts, prompt: 'SECRET' })) })
    expect(localStorage.getItem('newAssistants')).toContain('Lighthouse keeper')
    expect(JSON.stringify({ ...localStorage })).not.toContain('SECRET')
  })

  it('a change of avatar, name and role is laid over older answers for 2 hours [AG-068]', () => {
    storeChanged(someAgent({ name: 'Keeper', role: 'Knows the bay', profileImage: '/api/faces/other.svg' }))
    expect(stored('assistantData')).toEqual({
      keeper: { avatar: '/api/faces/other.svg', name: 'Keeper', role: 'Knows the bay', timestamp: start },
    })
    const [shown] = seen([someAgent()], start - 1).agents
    expect(shown).toMatchObject({ name: 'Keeper', role: 'Knows the bay', profileImage: '/api/faces/other.svg' })
    expect(shown?.languages.map(({ role }) => role)).toEqual(['Knows the bay', 'Conhece a costa'])
    expect(names(seen([someAgent()], start + 1))).toEqual(['Lighthouse keeper'])
    vi.setSystemTime(start + minutes(120) - 1)
    expect(names(seen([someAgent()], start - 1))).toEqual(['Keeper'])
    vi.setSystemTime(start + minutes(120))
    expect(names(seen([someAgent()], start - 1))).toEqual(['Lighthouse keeper'])
  })

  it('one that was deleted is in no list, until the lists no longer have it [AG-069]', () => {
    storeCreated(someAgent({ _id: 'new', userId: me }))
    for (const id of ['keeper', 'new']) storeDeleted(id)
    expect(stored('deleted_assistants')).toEqual(['keeper', 'new'])
    expect(seen([someAgent(), someAgent({ _id: 'other', name: 'Other' })], start)).toMatchObject({
      total: 1,
      agents: [{ name: 'Other' }],
    })
    pruneDeleted([someAgent()])
    expect(stored('deleted_assistants')).toEqual(['keeper'])
    pruneDeleted([])
    expect(stored('deleted_assistants')).toEqual([])
  })

  it('likes have their exact records, which expire after 80 minutes and are of one person [AG-078, AG-079]', () => {
    storeLike('keeper', { isLiked: true, likes: 4 })
    expect(stored('likesArray')).toEqual([
      { user_id: me, flag_like: true, flag_dislike: false, id_assistant: 'keeper', timestamp: start, cont_likes: 4 },
    ])
    expect(likeRecord('keeper', 'somebody else')).toBeUndefined()
    vi.setSystemTime(start + 4_800_000 - 1)
    expect(likeRecord('keeper', me)).toMatchObject({ flag_like: true, cont_likes: 4 })
    vi.setSystemTime(start + 4_800_000)
    expect(likeRecord('keeper', me)).toBeUndefined()
  })

  it("a server's answer that was asked for later wins over a like, unless a call is under way", () => {
    storeLike('keeper', { isLiked: true, likes: 4 })
    const answer = [someAgent({ likes: 9, likedByMe: false })]
    reconcileLikes(answer, start - 1, new Set())
    expect(likeRecord('keeper', me)?.cont_likes).toBe(4)
    vi.setSystemTime(start + 10)
    reconcileLikes(answer, start + 10, new Set(['keeper']))
    expect(likeRecord('keeper', me)?.cont_likes).toBe(4)
    reconcileLikes(answer, start + 10, new Set())
    expect(likeRecord('keeper', me)).toMatchObject({
      cont_likes: 9,
      flag_like: false,
      flag_dislike: true,
      timestamp: start + 10,
    })
  })

  it('is there from the start of a page on', async () => {
    storeCreated(someAgent({ userId: me }))
    storeChanged(someAgent())
    storeLike('keeper', { isLiked: true, likes: 4 })
    vi.resetModules()
    const page = await import('./agent-caches')
    expect(page.readAgentCaches()).toMatchObject({
      made: [{ _id: 'keeper' }],
      changed: { keeper: { timestamp: start } },
      likes: [{ cont_likes: 4 }],
    })
  })

  it('outlives what is broken, foreign, or of a clock that was ahead', () => {
    localStorage.setItem('newAssistants', '{"not":"a list"}')
    localStorage.setItem('deleted_assistants', '["a", 7, null]')
    localStorage.setItem('assistantData', '{"keeper":{"name":"half"}}')
    localStorage.setItem(
      'likesArray',
      JSON.stringify([
        {
          user_id: me,
          flag_like: true,
          flag_dislike: false,
          id_assistant: 'keeper',
          timestamp: start + minutes(60),
          cont_likes: 1,
        },
        'x',
      ]),
    )
    refreshAgentCaches()
    expect(readAgentCaches()).toEqual({ made: [], deleted: ['a'], changed: {}, likes: [] })
    localStorage.setItem('likesArray', 'no JSON')
    refreshAgentCaches()
    expect(readAgentCaches().likes).toEqual([])
  })
})
