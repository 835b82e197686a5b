import { noId, type TopicChannel, topicRoutes } from '@parley/contract/topics'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'

const pageSize = 20

/** The person's own topic channels of this agent, newest first; undefined until they are fetched. */
export function useAgentTopics(agentId: string): readonly TopicChannel[] | undefined {
  const user = useUser()
  const { data } = useQuery({
    queryKey: ['agents', 'topics', user?.id, agentId],
    queryFn: async ({ signal }) =>
      (
        await api(topicRoutes.list, {
          params: { page: 0, size: pageSize, assistantId: agentId, channelId: noId },
          signal,
        })
      ).content,
    enabled: user !== undefined,
    staleTime: 0,
    // They are optional: without them the agent is shown all the same.
    retry: false,
  })
  return data
}
