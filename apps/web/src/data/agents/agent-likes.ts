import { agentRoutes, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { useCallback } from 'react'
import { create } from 'zustand'
import { api } from '../api/api'
import { resetWithScope } from '../scope/scope'
import { useUser } from '../session/stored-session'
import { likeRecord, storeLike, useAgentCaches } from './agent-caches'
import { likesInFlight, refetchAgents } from './agent-queries'

/** One agent may be shown on several cards: all of them are disabled while its like is in flight. */
const useBusy = resetWithScope(create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() })))

function setBusy(inFlight: Set<string>, id: string, isBusy: boolean): void {
  if (isBusy) inFlight.add(id)
  else inFlight.delete(id)
  if (inFlight === likesInFlight()) useBusy.setState({ ids: new Set(inFlight) })
}

type Like = { likes: number; isLiked: boolean; isBusy: boolean; toggle: () => void }

/**
 * The like count of an agent and the person's own like: shown optimistically, and rolled back when the server refuses,
 * which `onFailed` hears. `toggle` does nothing while a call is in flight.
 */
export function useLike(agent: SeenAgent, onFailed?: (error: AppError) => void): Like {
  const userId = useUser()?.id
  const { likes: records } = useAgentCaches()
  const isBusy = useBusy(({ ids }) => ids.has(agent._id))
  const record = records.find((each) => each.user_id === userId && each.id_assistant === agent._id)
  const likes = record?.cont_likes ?? agent.likes
  const isLiked = record?.flag_like ?? agent.likedByMe
  const toggle = useCallback(() => {
    if (userId !== undefined) void toggleLike(agent._id, { userId, likes, isLiked }, onFailed)
  }, [agent._id, userId, likes, isLiked, onFailed])
  return { likes, isLiked, isBusy, toggle }
}

async function toggleLike(
  id: string,
  shown: { userId: string; likes: number; isLiked: boolean },
  onFailed?: (error: AppError) => void,
): Promise<void> {
  // Checks the set, not the rendered state: two clicks may come before the next render.
  const inFlight = likesInFlight()
  if (inFlight.has(id)) return
  const { userId, likes, isLiked } = shown
  const before = likeRecord(id, userId)
  setBusy(inFlight, id, true)
  storeLike(id, { isLiked: !isLiked, likes: Math.max(0, likes + (isLiked ? -1 : 1)) })
  try {
    const answer = await api(isLiked ? agentRoutes.unlike : agentRoutes.like, { body: { assistantId: id, userId } })
    storeLike(id, { isLiked: answer.likedByMe, likes: answer.likes })
  } catch (error) {
    storeLike(id, before && { isLiked: before.flag_like, likes: before.cont_likes }, before?.timestamp)
    if (!(error instanceof AppError)) throw error
    onFailed?.(error)
    // The agent was deleted or made private since the list was fetched.
    if (error.status === 403 || error.status === 404) refetchAgents()
  } finally {
    setBusy(inFlight, id, false)
  }
}
