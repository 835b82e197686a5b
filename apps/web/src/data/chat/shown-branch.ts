// A question that is sent while another one is being edited follows what is shown in that moment.
import type { ChannelStore } from '../channels/channel-store'
import { scoped } from '../scope/scope'
import { type PathExchange, readPathBefore } from './path-before'

/** The number of edits of each channel that are not shown yet. */
const edits = scoped(() => new Map<string, number>())

/** Counts an edit until it is shown, or has failed. */
export async function noteEdit<T>(channelId: string, edit: () => Promise<T>): Promise<T> {
  const own = edits()
  own.set(channelId, (own.get(channelId) ?? 0) + 1)
  try {
    return await edit()
  } finally {
    own.set(channelId, (own.get(channelId) ?? 1) - 1)
  }
}

export const isBeingEdited = (channelId: string): boolean => (edits().get(channelId) ?? 0) > 0

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
