import { create } from 'zustand'
import { resetWithScope } from '../scope/scope'

/** The progress of moving all cloud channels to this device; undefined while none is running. */
export const useMigration = resetWithScope(
  create<{ progress: { done: number; total: number } | undefined }>(() => ({ progress: undefined })),
)
