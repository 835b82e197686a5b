// The files of one's agents' knowledge, which the server reads. Every failure is an AppError.
import { AgentFile, agentFileRoutes } from '@parley/contract/agent-files'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/api'
import { sendForm } from '../api/upload'
import { retry } from './agent-queries'

const fileKeys = {
  ofAgent: (agentId: string) => ['agent-files', 'of', agentId] as const,
  one: (id: string) => ['agent-files', 'one', id] as const,
}

const isUnread = ({ status }: AgentFile): boolean => status === 'queued' || status === 'processing'

const fileQuery = (id: string) =>
  queryOptions<AgentFile, AppError>({
    queryKey: fileKeys.one(id),
    queryFn: ({ signal }) => api(agentFileRoutes.read, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isUnread(state.data) ? webLimits.agents.filePollMs : false),
    retry,
  })

/** A file, asked for again while it is being read. */
export function useAgentFile(id: string): { file: AgentFile | undefined; error: AppError | undefined } {
  const { data, error } = useQuery(fileQuery(id))
  return { file: data, error: error ?? undefined }
}

/** The ids of the files that an agent is saved with; undefined while they are fetched, and for an agent of a wallet. */
export function useFilesOfAgent(agentId: string | undefined): readonly string[] | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: fileKeys.ofAgent(agentId ?? ''),
    queryFn: async ({ signal }) => {
      const files = await api(agentFileRoutes.list, { query: { assistant_id: agentId ?? '' }, signal })
      for (const file of files) client.setQueryData(fileQuery(file.id).queryKey, file)
      return files.map(({ id }) => id)
    },
    enabled: agentId !== undefined,
    // What is saved elsewhere shows when the editor is opened again.
    staleTime: 0,
    retry,
  })
  return data
}

/** Adds files, cancels and retries their reading. */
export function useAgentFileActions() {
  const client = useQueryClient()
  const keep = (file: AgentFile): AgentFile => {
    client.setQueryData(fileQuery(file.id).queryKey, file)
    return file
  }
  return {
    add: async (file: File, signal: AbortSignal): Promise<AgentFile> => {
      const body = new FormData()
      body.append('document', file, file.name)
      const options = { signal, answerMs: webLimits.agents.fileSendMs }
      return keep(await sendForm('POST', agentFileRoutes.upload.path, body, AgentFile, options))
    },
    retry: async (id: string): Promise<void> => void keep(await api(agentFileRoutes.retry, { params: { id } })),
  }
}

/** Removes files that no agent was saved with; the server forgets by itself what this does not reach. */
export async function forgetDraftFiles(ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      try {
        const { assistantId } = await api(agentFileRoutes.read, { params: { id } })
        if (assistantId === undefined) await api(agentFileRoutes.remove, { params: { id } })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }),
  )
}
