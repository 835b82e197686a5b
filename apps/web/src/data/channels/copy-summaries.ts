// Summaries go wherever their chat goes: a text that somebody has edited is theirs.
import type { Summary } from '@parley/contract/conversations'
import { limits } from '@parley/contract/limits/shared'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { cloudChannels } from './homes'
import type { LocalChannelStore } from './local-channel-store'
import { retryWhenRateLimited } from './rate-limit-retry'

/** Adds the summaries that `from` tells to a copy of the chat on this device, which has its messages already. */
export async function copySummariesTo(
  to: LocalChannelStore,
  channelId: string,
  from: readonly Summary[],
): Promise<void> {
  const known = new Map((await to.summaries(channelId)).map((summary) => [summary.id, summary]))
  for (const summary of from) {
    const here = known.get(summary.id)
    if (!here || (summary.editedByPerson && !here.editedByPerson)) await to.putSummary({ ...summary, channelId })
  }
}

/**
 * Adds summaries to the copy of a chat in the cloud. `to` is the chat as the cloud has it: the same as `from`, perhaps
 * under other ids of runs.
 */
export async function copySummariesToCloud(
  channelId: string,
  summaries: readonly Summary[],
  { from, to }: { from: ConversationCopy; to: ConversationCopy },
): Promise<void> {
  const ids = new Map<string, string>()
  for (const [index, { runs }] of from.exchanges.entries())
    for (const [place, { id }] of runs.entries()) ids.set(id, to.exchanges[index]?.runs[place]?.id ?? id)
  const copies = summaries.map((summary) => ({
    ...{ ...summary, channelId },
    upToRunId: ids.get(summary.upToRunId) ?? summary.upToRunId,
  }))
  for (let at = 0; at < copies.length; at += limits.cloud.maxImportBatch) {
    const some = copies.slice(at, at + limits.cloud.maxImportBatch)
    await retryWhenRateLimited(() => cloudChannels.addSummaries(channelId, some))
  }
}
