import type { Source } from '@parley/contract/sources'
import { sourcesOf } from './channel-sources'
import { noteSources } from './known-sources'

/** The sources of a channel or of a draft, oldest first. Throws AppError. */
export async function listSources(channelId: string): Promise<Source[]> {
  const sources = await (await sourcesOf(channelId)).list(channelId)
  noteSources(channelId, sources)
  return sources
}
