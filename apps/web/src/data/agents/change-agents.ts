// What people change about their own agents. Every failure is an AppError.

import { type AgentDraft, agentRoutes, type OwnAgent, UploadedImage, uploadImagePath } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { api } from '../http/api'
import { upload } from '../http/upload'
import { noteChanged, noteDeleted, noteMade } from './agent-caches'
import { agentsChanged } from './agent-queries'

/** Makes an agent, or changes one's own (`_id`). */
export async function saveAgent(draft: AgentDraft): Promise<OwnAgent> {
  const agent = await api(agentRoutes.save, { body: draft })
  if (draft._id === undefined) noteMade(agent)
  else noteChanged(agent)
  agentsChanged()
  return agent
}

export async function deleteAgent(id: string): Promise<void> {
  await api(agentRoutes.remove, { params: { id } })
  noteDeleted(id)
  agentsChanged()
}

/** Answers its address on this server. */
export async function uploadAgentPicture(file: Blob): Promise<string> {
  const { url } = await upload(uploadImagePath, file, UploadedImage)
  return url
}

/** Faces to choose from. */
export async function generateAgentPictures(): Promise<string[]> {
  const { data } = await api(agentRoutes.images, { answerMs: limits.calls.slowAnswerMs })
  return data.map(({ url }) => url)
}
