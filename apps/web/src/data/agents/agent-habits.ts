import type { SeenAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { storedSession } from '../session/stored-session'
import { type KeptAgent, keepAgent } from './kept-agents'

const key = 'agent-habits'

const Habits = z.object({
  /** Whose they are; null: the anonymous person of this browser. */
  userId: z.nullable(z.string()),
  /** Agent ids, the last one used first. */
  recent: z.array(z.string()),
  /** Agent ids in the order in which they were marked. */
  favorites: z.array(z.string()),
})
type Habits = z.infer<typeof Habits>

const useStored = create<Habits>(read)

function read(): Habits {
  const userId = storedSession()?.user.id ?? null
  try {
    const habits = z.safeParse(Habits, JSON.parse(localStorage.getItem(key) ?? 'null'))
    if (habits.success && habits.data.userId === userId) return habits.data
  } catch {
    // Denied or broken: nothing is remembered.
  }
  return { userId, recent: [], favorites: [] }
}

/** Which agents this person used last and likes best. */
export function useAgentHabits(): Pick<Habits, 'recent' | 'favorites'> {
  return useStored()
}

/** Reads them anew, when the picker opens: another tab may have changed them, or another person signed in. */
export function refreshAgentHabits(): void {
  useStored.setState(read())
}

export function noteAgentUse(id: string): void {
  const { recent } = read()
  write({ recent: [id, ...recent.filter((other) => other !== id)].slice(0, limits.agents.recent) })
}

export function toggleFavoriteAgent(agent: SeenAgent | KeptAgent): void {
  const { _id: id } = agent
  const { favorites } = read()
  const isFavorite = favorites.includes(id)
  write({ favorites: isFavorite ? favorites.filter((other) => other !== id) : [...favorites, id] })
  // The picker shows it without having found it in a list.
  if (!isFavorite) keepAgent(agent).catch(() => undefined)
}

function write(change: Partial<Habits>): void {
  const habits = { ...read(), ...change }
  useStored.setState(habits)
  try {
    localStorage.setItem(key, JSON.stringify(habits))
  } catch {
    // It is remembered as long as the page lasts.
  }
}
