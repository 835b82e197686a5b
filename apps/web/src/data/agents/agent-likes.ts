import { agentRoutes, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { useCallback } from 'react'
import { create } from 'zustand'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { likeRecord, noteLike, useAgentCaches } from './agent-caches'
import { agentsChanged, likesUnderWay } from './agent-queries'

/** One agent may be on several cards at once: all of them wait. */
const useBusy = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

function setBusy(id: string, isBusy: boolean): void {
  if (isBusy) likesUnderWay.add(id)
  else likesUnderWay.delete(id)
  useBusy.setState({ ids: new Set(likesUnderWay) })
}

type Like = { likes: number; isLiked: boolean; isBusy: boolean; toggle: () => void }

/** What the person thinks of an agent: shown at once, and taken back when the server refuses, which `onFailed` hears. Nothing happens while a call is under way. */
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

async function toggleLike(id: string, shown: { userId: string; likes: number; isLiked: boolean }, onFailed?: (error: AppError) => void): Promise<void> {
  // Asked of the set and not of what is drawn: two clicks may come before it is drawn anew.
  if (likesUnderWay.has(id)) return
  const { userId, likes, isLiked } = shown
  const before = likeRecord(id, userId)
  setBusy(id, true)
  noteLike(id, { isLiked: !isLiked, likes: Math.max(0, likes + (isLiked ? -1 : 1)) })
  try {
    const answer = await api(isLiked ? agentRoutes.unlike : agentRoutes.like, { body: { assistantId: id, userId } })
    noteLike(id, { isLiked: answer.likedByMe, likes: answer.likes })
  } catch (error) {
    noteLike(id, before && { isLiked: before.flag_like, likes: before.cont_likes }, before?.timestamp)
    if (!(error instanceof AppError)) throw error
    onFailed?.(error)
    // Gone or private since the list was read.
    if (error.status === 403 || error.status === 404) agentsChanged()
  } finally {
    setBusy(id, false)
  }
}
