// Changes that people make to their own agents. Every failure is an AppError.

import { type AgentDraft, agentRoutes, type OwnAgent, UploadedImage, uploadImagePath } from '@parley/contract/agents'
import { webLimits } from '@parley/contract/limits/web'
import { api } from '../api/api'
import { upload } from '../api/upload'
import { storeChanged, storeCreated, storeDeleted } from './agent-caches'
import { refetchAgents } from './agent-queries'

/** Creates an agent, or changes the person's own one (`_id`). */
export async function saveAgent(draft: AgentDraft): Promise<OwnAgent> {
  const agent = await api(agentRoutes.save, { body: draft })
  if (draft._id === undefined) storeCreated(agent)
  else storeChanged(agent)
  refetchAgents()
  return agent
}

export async function deleteAgent(id: string): Promise<void> {
  await api(agentRoutes.remove, { params: { id } })
  storeDeleted(id)
  refetchAgents()
}

/** Answers the picture's URL on this server. */
export async function uploadAgentPicture(file: Blob): Promise<string> {
  const { url } = await upload(uploadImagePath, file, UploadedImage)
  return url
}

/** Generated faces to choose from. */
export async function generateAgentPictures(): Promise<string[]> {
  const { data } = await api(agentRoutes.images, { answerMs: webLimits.calls.slowAnswerMs })
  return data.map(({ url }) => url)
}
