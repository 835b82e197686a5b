// What the browser remembers beside the server's answers. Names and shapes are part of the contract; a server's answer that is newer wins at once.
import { Agent, type SeenAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { storedSession } from '../session/stored-session'

const keys = { made: 'newAssistants', deleted: 'deleted_assistants', changed: 'assistantData', likes: 'likesArray' } as const

/** Entries that do not have this shape are left out; times in milliseconds since 1970. */
const MadeAgent = z.object({ ...Agent.shape, timestamp: z.number() })
const Override = z.object({ avatar: z.string(), name: z.string(), role: z.string(), timestamp: z.number() })
const LikeRecord = z.object({
  user_id: z.string(),
  flag_like: z.boolean(),
  flag_dislike: z.boolean(),
  id_assistant: z.string(),
  timestamp: z.number(),
  cont_likes: z.number(),
})
type MadeAgent = z.infer<typeof MadeAgent>
type Override = z.infer<typeof Override>
type LikeRecord = z.infer<typeof LikeRecord>

type Caches = { made: readonly MadeAgent[]; deleted: readonly string[]; changed: Readonly<Record<string, Override>>; likes: readonly LikeRecord[] }

const useStored = create<Caches>(readAgentCaches)

// Another tab made, changed, deleted or liked one.
globalThis.addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === null || Object.values(keys).some((own) => own === key)) useStored.setState(readAgentCaches())
})

/** As the browser has them now, without what has expired. */
export function readAgentCaches(): Caches {
  const now = Date.now()
  return {
    made: listOf(keys.made, MadeAgent).filter(({ timestamp }) => isFresh(timestamp, limits.agents.newAgentMs, now)),
    deleted: listOf(keys.deleted, z.string()),
    changed: overrides(now),
    likes: listOf(keys.likes, LikeRecord).filter(({ timestamp }) => isFresh(timestamp, limits.agents.likeMs, now)),
  }
}

/** One from the future was written by a clock that was wrong, and would last until then. */
function isFresh(timestamp: number, lifeMs: number, now: number): boolean {
  return timestamp <= now && now - timestamp < lifeMs
}

function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    // Denied or broken: nothing is remembered.
    return undefined
  }
}

function listOf<T>(key: string, schema: z.ZodMiniType<T>): T[] {
  const list = stored(key)
  return Array.isArray(list) ? list.flatMap((entry) => parsed(schema, entry)) : []
}

function overrides(now: number): Record<string, Override> {
  const record = stored(keys.changed)
  if (typeof record !== 'object' || record === null) return {}
  const entries = Object.entries(record).flatMap(([id, entry]) => parsed(Override, entry).map((override) => [id, override] as const))
  return Object.fromEntries(entries.filter(([, { timestamp }]) => isFresh(timestamp, limits.agents.overrideMs, now)))
}

function parsed<T>(schema: z.ZodMiniType<T>, value: unknown): T[] {
  const result = z.safeParse(schema, value)
  return result.success ? [result.data] : []
}

/** Read anew first: another tab may have written meanwhile. */
function change<K extends keyof Caches>(name: K, next: (before: Caches[K]) => Caches[K]): void {
  const caches = readAgentCaches()
  const value = next(caches[name])
  if (value === caches[name]) return
  useStored.setState({ ...caches, [name]: value })
  try {
    localStorage.setItem(keys[name], JSON.stringify(value))
  } catch {
    // It is remembered as long as the page lasts.
  }
}

/** What is remembered, as it was last read. */
export function useAgentCaches(): Caches {
  return useStored()
}

/** Reads them anew, whenever agents come into sight: time has passed, and another person may have signed in. */
export function refreshAgentCaches(): void {
  const caches = readAgentCaches()
  if (JSON.stringify(caches) !== JSON.stringify(useStored.getState())) useStored.setState(caches)
}

/** Instructions and knowledge are not left in the browser's storage. */
function withoutSecrets(agent: SeenAgent): Agent {
  const languages = agent.languages.map(({ prompt: _, ...texts }) => texts)
  return z.parse(Agent, { ...agent, languages })
}

export function noteMade(agent: SeenAgent, now = Date.now()): void {
  change('made', (made) => [{ ...withoutSecrets(agent), timestamp: now }, ...made.filter(({ _id }) => _id !== agent._id)])
}

export function noteChanged({ _id, profileImage, name, role }: SeenAgent, now = Date.now()): void {
  change('changed', (changed) => ({ ...changed, [_id]: { avatar: profileImage, name, role, timestamp: now } }))
  // Made a moment ago and changed now: the list shows it as it is.
  change('made', (made) =>
    made.some((agent) => agent._id === _id) ? made.map((agent) => (agent._id === _id ? { ...agent, profileImage, name, role } : agent)) : made,
  )
}

export function noteDeleted(id: string): void {
  change('deleted', (deleted) => (deleted.includes(id) ? deleted : [...deleted, id]))
  change('made', (made) => (made.some(({ _id }) => _id === id) ? made.filter(({ _id }) => _id !== id) : made))
}

/** A list of one's own agents has come: those deleted that it no longer has need not be remembered. */
export function settleDeleted(listed: readonly SeenAgent[]): void {
  const ids = new Set(listed.map(({ _id }) => _id))
  change('deleted', (deleted) => (deleted.every((id) => ids.has(id)) ? deleted : deleted.filter((id) => ids.has(id))))
}

/** Undefined takes the record away. */
export function noteLike(id: string, like: { isLiked: boolean; likes: number } | undefined, now = Date.now()): void {
  const userId = storedSession()?.user.id
  if (userId === undefined) return
  change('likes', (records) => {
    const others = records.filter((record) => record.user_id !== userId || record.id_assistant !== id)
    if (!like) return others
    const { isLiked, likes } = like
    return [...others, { user_id: userId, flag_like: isLiked, flag_dislike: !isLiked, id_assistant: id, timestamp: now, cont_likes: likes }]
  })
}

export function likeRecord(id: string, userId: string | undefined): LikeRecord | undefined {
  return readAgentCaches().likes.find((record) => record.user_id === userId && record.id_assistant === id)
}

/** A server's answer that was asked for after the last like or unlike knows better. `busy`: those whose call is under way. */
export function settleLikes(agents: readonly SeenAgent[], askedAt: number, busy: ReadonlySet<string>): void {
  const userId = storedSession()?.user.id
  if (userId === undefined) return
  const answers = new Map(agents.map((agent) => [agent._id, agent]))
  change('likes', (records) => {
    let isSame = true
    const next = records.map((record) => {
      const answer = answers.get(record.id_assistant)
      if (!answer || record.user_id !== userId || record.timestamp >= askedAt || busy.has(record.id_assistant)) return record
      isSame = false
      return { ...record, flag_like: answer.likedByMe, flag_dislike: !answer.likedByMe, cont_likes: answer.likes, timestamp: askedAt }
    })
    return isSame ? records : next
  })
}

/** An answer with what is newer than it laid over. */
export function withChanges<A extends SeenAgent>(agent: A, askedAt: number, { changed }: Caches): A {
  const override = changed[agent._id]
  if (!override || override.timestamp <= askedAt) return agent
  const { avatar, name, role } = override
  const languages = agent.languages.map((texts) => (texts.language === agent.language ? { ...texts, role } : texts))
  return { ...agent, profileImage: avatar, name, role, languages }
}

type Answered = { agents: readonly SeenAgent[]; total: number; askedAt: number }

/** One page of a list as the person should see it. `isFirstOfMine`: one's own, newest first, from the beginning. */
export function laidOver(answer: Answered, caches: Caches, { userId, isFirstOfMine }: { userId: string | undefined; isFirstOfMine: boolean }) {
  const isDeleted = new Set(caches.deleted)
  const kept = answer.agents.filter(({ _id }) => !isDeleted.has(_id)).map((agent) => withChanges(agent, answer.askedAt, caches))
  const known = new Set(kept.map(({ _id }) => _id))
  const isMissing = ({ _id, timestamp, userId: creator }: MadeAgent) => creator === userId && timestamp > answer.askedAt && !known.has(_id)
  const made = isFirstOfMine ? caches.made.filter(isMissing).map(({ timestamp: _, ...agent }) => agent) : []
  return { agents: [...made, ...kept], total: answer.total + made.length - (answer.agents.length - kept.length) }
}
