import { answerOf } from '@parley/contract/answer-parts'
import { Answer, type Message } from '@parley/contract/chat'
import * as z from 'zod/mini'
import type { ChannelAccess } from '../channels/public/channel-access'

/** `back`: where whoever asked for another answer was; nodes of the version before write none, and ignore it. */
const Previous = z.object({
  ...Answer.shape,
  back: z.optional(z.object({ actorId: z.string(), headRunId: z.string() })),
})
type Previous = z.infer<typeof Previous>

/**
 * The answer that a run replaces, until something of a new one comes; null where there is none. As JSON, which escapes
 * what PostgreSQL cannot store.
 */
export function toPrevious(message: Message, { actorId, headRunId }: ChannelAccess): string | null {
  const answer = answerOf(message)
  if (!answer) return null
  const previous: Previous = { ...answer, ...(headRunId === null ? {} : { back: { actorId, headRunId } }) }
  return JSON.stringify(previous)
}

export function fromPrevious(stored: string): { answer: Answer; back: Previous['back'] } {
  const { back, ...answer } = Previous.parse(JSON.parse(stored))
  return { answer, back }
}
