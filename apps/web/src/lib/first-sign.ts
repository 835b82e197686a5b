import { useSyncExternalStore } from 'react'

const signs = ['pointermove', 'pointerdown', 'keydown', 'dragover', 'paste'] as const
const listeners = new Set<() => void>()
let isGiven = false

function give(): void {
  isGiven = true
  for (const sign of signs) globalThis.removeEventListener?.(sign, give, true)
  for (const listener of [...listeners]) listener()
}
for (const sign of signs) globalThis.addEventListener?.(sign, give, { capture: true, passive: true })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether the person has moved, touched or pressed anything yet: what nobody needs before is no part of the first load.
 */
export const useFirstSign = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isGiven,
    () => false,
  )
