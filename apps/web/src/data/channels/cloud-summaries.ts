// The summaries of the cloud's channels, at the server.
import type { Summary } from '@parley/contract/conversations'
import { summaryRoutes } from '@parley/contract/summaries'
import { api } from '../api/api'
import { announce } from '../local/changes'

export async function listSummaries(channelId: string): Promise<Summary[]> {
  return (await api(summaryRoutes.list, { params: { id: channelId } })).summaries
}

export async function addSummaries(channelId: string, summaries: readonly Summary[]): Promise<void> {
  await api(summaryRoutes.add, { params: { id: channelId }, body: { summaries: [...summaries] } })
}

export async function putSummary({ channelId, id, text, isUndone, editedByPerson }: Summary): Promise<void> {
  const body = { isUndone: isUndone === true, ...(editedByPerson ? { text } : {}) }
  await api(summaryRoutes.change, { params: { id: channelId, summaryId: id }, body })
  announce({ kind: 'summaries', channelId })
}
