import { create } from 'zustand'

/** The progress of moving all cloud channels to this device; undefined while none is running. */
export const useMigration = create<{ progress: { done: number; total: number } | undefined }>(() => ({
  progress: undefined,
}))
