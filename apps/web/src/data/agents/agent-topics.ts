import { noId, type TopicChannel, topicRoutes } from '@parley/contract/topics'
import { useQuery } from '@tanstack/react-query'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'

const shown = 20

/** The person's own channels about a topic under this agent, newest first; undefined while nothing is known of them. */
export function useAgentTopics(agentId: string): readonly TopicChannel[] | undefined {
  const user = useUser()
  const { data } = useQuery({
    queryKey: ['agents', 'topics', user?.id, agentId],
    queryFn: async ({ signal }) => (await api(topicRoutes.list, { params: { page: 0, size: shown, assistantId: agentId, channelId: noId }, signal })).content,
    enabled: user !== undefined,
    staleTime: 0,
    // They are beside the point: without them the agent is shown all the same.
    retry: false,
  })
  return data
}
