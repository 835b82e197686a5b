import { create } from 'zustand'
import { currentScope, resetWithScope } from '../scope/scope'

/** Channels that this page is moving. Both copies exist for a moment, which is not reported as an interrupted move. */
const useMoving = resetWithScope(create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() })))

/** Runs the move of a channel, and reports it as in progress meanwhile. */
export async function trackMove<T>(channelId: string, move: () => Promise<T>): Promise<T> {
  const scope = currentScope()
  useMoving.setState(({ ids }) => ({ ids: new Set([...ids, channelId]) }))
  try {
    return await move()
  } finally {
    if (!scope.isDisposed)
      useMoving.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== channelId)) }))
  }
}

export const useIsMoving = (channelId: string): boolean => useMoving(({ ids }) => ids.has(channelId))
