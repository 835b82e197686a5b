import * as z from 'zod/mini'
import { create } from 'zustand'
import { storedSession } from './stored-session'

const Habits = z.object({
  /** Whose they are; null: the anonymous person of this browser. */
  userId: z.nullable(z.string()),
  /** Ids, the last one used first. */
  recent: z.array(z.string()),
  /** Ids in the order in which they were marked. */
  favorites: z.array(z.string()),
})
type Habits = z.infer<typeof Habits>

/** What the person of this browser used last and likes best of something, kept under `key`; `most`: so many of the last ones. */
export function createHabits(key: string, most: number) {
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

  function write(change: Partial<Habits>): void {
    const habits = { ...read(), ...change }
    useStored.setState(habits)
    try {
      localStorage.setItem(key, JSON.stringify(habits))
    } catch {
      // It is remembered as long as the page lasts.
    }
  }

  return {
    useHabits: (): Pick<Habits, 'recent' | 'favorites'> => useStored(),
    /** Reads them anew, when a picker opens: another tab may have changed them, or another person signed in. */
    refresh: (): void => useStored.setState(read()),
    noteUse: (id: string): void => write({ recent: [id, ...read().recent.filter((other) => other !== id)].slice(0, most) }),
    /** Answers whether it is one now. */
    toggleFavorite(id: string): boolean {
      const { favorites } = read()
      const isFavorite = !favorites.includes(id)
      write({ favorites: isFavorite ? [...favorites, id] : favorites.filter((other) => other !== id) })
      return isFavorite
    },
  }
}
