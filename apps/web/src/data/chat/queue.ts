import { useQuery } from '@tanstack/react-query'
import { channelKeys } from '../channels/channel-keys'
import { type QueuedQuestion, readQueue } from '../channels/queued-questions'
import { type QueueWait, setPumpLoader, useQueueWaits } from './queue-state'

/** What sends and changes queues; loaded with the first question that waits. */
export const loadQueuePump = () => import('./queue-pump')
setPumpLoader(loadQueuePump)

export type Queue = {
  /** The questions that wait, in the order of sending. */
  queued: readonly QueuedQuestion[]
  /** Why the first one does. */
  wait: QueueWait | undefined
}

const nothing: readonly QueuedQuestion[] = []

export function useQueue(channelId: string | undefined): Queue {
  const { data } = useQuery({
    queryKey: channelKeys.queue(channelId ?? ''),
    queryFn: () => readQueue(channelId ?? ''),
    enabled: channelId !== undefined,
    networkMode: 'always',
    staleTime: 0,
  })
  const wait = useQueueWaits((waits) => (channelId === undefined ? undefined : waits[channelId]))
  return { queued: data ?? nothing, wait }
}

/** Whether a question that is asked now has to wait for those of the queue, unless these wait for the person. */
export async function mustWait(channelId: string, { wait }: Queue): Promise<boolean> {
  const isHeldUp = wait !== undefined && wait !== 'offline'
  return !isHeldUp && (await readQueue(channelId)).length > 0
}
