// What localStorage remembers of agents beside the server's answers. Keys and shapes are part of the contract; a
// server's answer that is newer wins at once.
import { Agent, type SeenAgent } from '@parley/contract/agents'
import { webLimits } from '@parley/contract/limits/web'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { storedSession } from '../session/stored-session'

const keys = {
  made: 'newAssistants',
  deleted: 'deleted_assistants',
  changed: 'assistantData',
  likes: 'likesArray',
} as const

/** Entries of another shape are dropped; timestamps are milliseconds since 1970. */
const CreatedAgent = z.object({ ...Agent.shape, timestamp: z.number() })
const Override = z.object({ avatar: z.string(), name: z.string(), role: z.string(), timestamp: z.number() })
const LikeRecord = z.object({
  user_id: z.string(),
  flag_like: z.boolean(),
  flag_dislike: z.boolean(),
  id_assistant: z.string(),
  timestamp: z.number(),
  cont_likes: z.number(),
})
type CreatedAgent = z.infer<typeof CreatedAgent>
type Override = z.infer<typeof Override>
type LikeRecord = z.infer<typeof LikeRecord>

type Caches = {
  made: readonly CreatedAgent[]
  deleted: readonly string[]
  changed: Readonly<Record<string, Override>>
  likes: readonly LikeRecord[]
}

const useStored = create<Caches>(readAgentCaches)

// Another tab created, changed, deleted or liked an agent.
globalThis.addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === null || Object.values(keys).some((own) => own === key)) useStored.setState(readAgentCaches())
})

/** Reads the caches from localStorage, without expired entries. */
export function readAgentCaches(): Caches {
  const now = Date.now()
  return {
    made: readList(keys.made, CreatedAgent).filter(({ timestamp }) =>
      isFresh(timestamp, webLimits.agents.newAgentMs, now),
    ),
    deleted: readList(keys.deleted, z.string()),
    changed: readOverrides(now),
    likes: readList(keys.likes, LikeRecord).filter(({ timestamp }) => isFresh(timestamp, webLimits.agents.likeMs, now)),
  }
}

/** An entry from the future was written with a wrong clock, and would otherwise never expire. */
function isFresh(timestamp: number, lifeMs: number, now: number): boolean {
  return timestamp <= now && now - timestamp < lifeMs
}

function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    // localStorage is denied or broken: the cache is empty.
    return undefined
  }
}

function readList<T>(key: string, schema: z.ZodMiniType<T>): T[] {
  const list = readStored(key)
  return Array.isArray(list) ? list.flatMap((entry) => parseEntry(schema, entry)) : []
}

function readOverrides(now: number): Record<string, Override> {
  const record = readStored(keys.changed)
  if (typeof record !== 'object' || record === null) return {}
  const entries = Object.entries(record).flatMap(([id, entry]) =>
    parseEntry(Override, entry).map((override) => [id, override] as const),
  )
  return Object.fromEntries(entries.filter(([, { timestamp }]) => isFresh(timestamp, webLimits.agents.overrideMs, now)))
}

function parseEntry<T>(schema: z.ZodMiniType<T>, value: unknown): T[] {
  const result = z.safeParse(schema, value)
  return result.success ? [result.data] : []
}

/** Reads the caches again first, since another tab may have written meanwhile. */
function change<K extends keyof Caches>(name: K, next: (before: Caches[K]) => Caches[K]): void {
  const caches = readAgentCaches()
  const value = next(caches[name])
  if (value === caches[name]) return
  useStored.setState({ ...caches, [name]: value })
  try {
    localStorage.setItem(keys[name], JSON.stringify(value))
  } catch {
    // localStorage is denied or full: the change lasts as long as the page.
  }
}

/** The caches as they were last read. */
export function useAgentCaches(): Caches {
  return useStored()
}

/** Reads the caches again when agents are shown: entries may have expired, or another person may have signed in. */
export function refreshAgentCaches(): void {
  const caches = readAgentCaches()
  if (JSON.stringify(caches) !== JSON.stringify(useStored.getState())) useStored.setState(caches)
}

/** Prompts and knowledge must not stay in the browser's storage. */
function withoutSecrets(agent: SeenAgent): Agent {
  const languages = agent.languages.map(({ prompt: _, ...texts }) => texts)
  return z.parse(Agent, { ...agent, languages })
}

export function storeCreated(agent: SeenAgent, now = Date.now()): void {
  change('made', (made) => [
    { ...withoutSecrets(agent), timestamp: now },
    ...made.filter(({ _id }) => _id !== agent._id),
  ])
}

export function storeChanged({ _id, profileImage, name, role }: SeenAgent, now = Date.now()): void {
  change('changed', (changed) => ({ ...changed, [_id]: { avatar: profileImage, name, role, timestamp: now } }))
  // An agent that was created moments ago and is changed now is listed with the change.
  change('made', (made) =>
    made.some((agent) => agent._id === _id)
      ? made.map((agent) => (agent._id === _id ? { ...agent, profileImage, name, role } : agent))
      : made,
  )
}

export function storeDeleted(id: string): void {
  change('deleted', (deleted) => (deleted.includes(id) ? deleted : [...deleted, id]))
  change('made', (made) => (made.some(({ _id }) => _id === id) ? made.filter(({ _id }) => _id !== id) : made))
}

/**
 * Called with a fetched list of the person's own agents: deleted ids that it no longer contains need not be remembered.
 */
export function pruneDeleted(listed: readonly SeenAgent[]): void {
  const ids = new Set(listed.map(({ _id }) => _id))
  change('deleted', (deleted) => (deleted.every((id) => ids.has(id)) ? deleted : deleted.filter((id) => ids.has(id))))
}

/** Undefined removes the record. */
export function storeLike(id: string, like: { isLiked: boolean; likes: number } | undefined, now = Date.now()): void {
  const userId = storedSession()?.user.id
  if (userId === undefined) return
  change('likes', (records) => {
    const others = records.filter((record) => record.user_id !== userId || record.id_assistant !== id)
    if (!like) return others
    const { isLiked, likes } = like
    return [
      ...others,
      {
        user_id: userId,
        flag_like: isLiked,
        flag_dislike: !isLiked,
        id_assistant: id,
        timestamp: now,
        cont_likes: likes,
      },
    ]
  })
}

export function likeRecord(id: string, userId: string | undefined): LikeRecord | undefined {
  return readAgentCaches().likes.find((record) => record.user_id === userId && record.id_assistant === id)
}

/**
 * A server's answer that was requested after the last like or unlike replaces the local record. `busy`: agents whose
 * like or unlike is still in flight.
 */
export function reconcileLikes(agents: readonly SeenAgent[], requestedAt: number, busy: ReadonlySet<string>): void {
  const userId = storedSession()?.user.id
  if (userId === undefined) return
  const answers = new Map(agents.map((agent) => [agent._id, agent]))
  change('likes', (records) => {
    let isSame = true
    const next = records.map((record) => {
      const answer = answers.get(record.id_assistant)
      if (!answer || record.user_id !== userId || record.timestamp >= requestedAt || busy.has(record.id_assistant))
        return record
      isSame = false
      return {
        ...record,
        flag_like: answer.likedByMe,
        flag_dislike: !answer.likedByMe,
        cont_likes: answer.likes,
        timestamp: requestedAt,
      }
    })
    return isSame ? records : next
  })
}

/** The agent with a local change on top, where that is newer than the answer. */
export function applyOverride<A extends SeenAgent>(agent: A, requestedAt: number, { changed }: Caches): A {
  const override = changed[agent._id]
  if (!override || override.timestamp <= requestedAt) return agent
  const { avatar, name, role } = override
  const languages = agent.languages.map((texts) => (texts.language === agent.language ? { ...texts, role } : texts))
  return { ...agent, profileImage: avatar, name, role, languages }
}

type PageAnswer = { agents: readonly SeenAgent[]; total: number; requestedAt: number }

/**
 * One page of a list with the caches on top: deleted agents are left out, changed ones updated. `isFirstOfMine`: the
 * first page of the person's own agents, which also gets the agents created since the answer.
 */
export function overlayCaches(
  answer: PageAnswer,
  caches: Caches,
  { userId, isFirstOfMine }: { userId: string | undefined; isFirstOfMine: boolean },
) {
  const isDeleted = new Set(caches.deleted)
  const kept = answer.agents
    .filter(({ _id }) => !isDeleted.has(_id))
    .map((agent) => applyOverride(agent, answer.requestedAt, caches))
  const known = new Set(kept.map(({ _id }) => _id))
  const isMissing = ({ _id, timestamp, userId: creator }: CreatedAgent) =>
    creator === userId && timestamp > answer.requestedAt && !known.has(_id)
  const made = isFirstOfMine ? caches.made.filter(isMissing).map(({ timestamp: _, ...agent }) => agent) : []
  return { agents: [...made, ...kept], total: answer.total + made.length - (answer.agents.length - kept.length) }
}
