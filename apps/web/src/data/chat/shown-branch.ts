// A question that is sent while another one is being edited follows what is shown in that moment.
import type { ChannelStore } from '../channels/channel-store'
import { type PathExchange, readPathBefore } from './path-before'

/** The run that ends the path which is shown, and what was said on it. */
export type ShownBranch = { afterRunId: string | null; path: readonly PathExchange[] }

export async function readShownBranch(store: ChannelStore, channelId: string): Promise<ShownBranch> {
  const [{ messages }, { exchanges }] = await Promise.all([
    store.messages(channelId, { limit: 1 }),
    readPathBefore(store, channelId),
  ])
  const last = messages.at(-1)
  return { afterRunId: last ? (last.versions?.answer ?? last.run?.messageId ?? last.mId) : null, path: exchanges }
}
