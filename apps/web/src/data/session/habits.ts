import * as z from 'zod/mini'
import { create } from 'zustand'
import { storedSession } from './stored-session'

const Habits = z.object({
  /** The person; null for this browser's anonymous person. */
  userId: z.nullable(z.string()),
  /** Ids, the most recently used first. */
  recent: z.array(z.string()),
  /** Ids in the order in which they became favourites. */
  favorites: z.array(z.string()),
})
type Habits = z.infer<typeof Habits>

/**
 * Recently used and favourite ids of some subject, stored in localStorage under `key`; `most`: the number of recent
 * ones.
 */
export function createHabits(key: string, most: number) {
  const useStored = create<Habits>(read)

  function read(): Habits {
    const userId = storedSession()?.user.id ?? null
    try {
      const habits = z.safeParse(Habits, JSON.parse(localStorage.getItem(key) ?? 'null'))
      if (habits.success && habits.data.userId === userId) return habits.data
    } catch {
      // localStorage is denied or broken: there are no habits.
    }
    return { userId, recent: [], favorites: [] }
  }

  function write(change: Partial<Habits>): void {
    const habits = { ...read(), ...change }
    useStored.setState(habits)
    try {
      localStorage.setItem(key, JSON.stringify(habits))
    } catch {
      // localStorage is denied or full: the change lasts as long as the page.
    }
  }

  return {
    useHabits: (): Pick<Habits, 'recent' | 'favorites'> => useStored(),
    /** Reads them again when a picker opens: another tab may have changed them, or another person signed in. */
    refresh: (): void => useStored.setState(read()),
    noteUse: (id: string): void =>
      write({ recent: [id, ...read().recent.filter((other) => other !== id)].slice(0, most) }),
    /** Answers whether it is a favourite now. */
    toggleFavorite(id: string): boolean {
      const { favorites } = read()
      const isFavorite = !favorites.includes(id)
      write({ favorites: isFavorite ? [...favorites, id] : favorites.filter((other) => other !== id) })
      return isFavorite
    },
  }
}
