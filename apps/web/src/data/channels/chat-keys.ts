import { AppError } from '@parley/contract/errors'
import type { ChatRecord } from '../local/database'
import { sourceTables } from '../local/source-tables'
import type { Owner } from './channel-store'

/** The tables with records of a channel. */
export const chatTables = [
  ...(['channels', 'chats', 'exchanges', 'runs', 'summaries', 'drafts', 'undo'] as const),
  ...sourceTables,
] as const

/** `{channelId}_{userId}`; an anonymous person's user id is `anonymous`. */
export const chatIdOf = (channelId: string, userId: string | undefined): string =>
  `${channelId}_${userId ?? 'anonymous'}`

export const emptyChat = (channelId: string, userId: string | undefined): ChatRecord => ({
  id: chatIdOf(channelId, userId),
  channelId,
  count: 0,
  lastPosition: 0,
})

/** The run that stands in for one whose exchange was removed; the run itself where it was not. */
export function standInOf({ standIns = {} }: ChatRecord, runId: string | null): string | null {
  const seen = new Set<string>()
  let at = runId
  while (at !== null && Object.hasOwn(standIns, at) && !seen.has(at)) {
    seen.add(at)
    at = standIns[at] ?? null
  }
  return at
}

const summaryPrefix = (chatId: string, ...exchangeId: [] | [string]): string =>
  `${[chatId, ...exchangeId].map(encodeURIComponent).join('|')}|`

/** The id in `summaries` of a summary that ends with an exchange. */
export const summaryRecordId = (chatId: string, { exchangeId, id }: { exchangeId: string; id: string }): string =>
  `${summaryPrefix(chatId, exchangeId)}${id}`

/** The key range of the summaries of a chat, or of those that end with one of its exchanges. */
export function summaryRange(chatId: string, ...exchangeId: [] | [string]): IDBKeyRange {
  const prefix = summaryPrefix(chatId, ...exchangeId)
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

const queuePrefix = (channelId: string): string => `${channelId}|queue|`

/** The id in `drafts` of a question that waits in a channel. */
export const queuedId = (channelId: string, mId: string): string => `${queuePrefix(channelId)}${mId}`

/** The channel and message ids of such an id; undefined for the id of a draft. */
export function queuedIdsOf(id: string): { channelId: string; mId: string } | undefined {
  const [channelId = '', kind, mId] = id.split('|')
  return kind === 'queue' && mId !== undefined ? { channelId, mId } : undefined
}

/** The key range of the questions that wait in a channel. */
export const queueRange = (channelId: string): IDBKeyRange =>
  IDBKeyRange.bound(queuePrefix(channelId), `${queuePrefix(channelId)}\uffff`)

/** The id in `meta` of how far a person has read a channel. */
export const readMarkId = (channelId: string): string => `${readMarkPrefix}${channelId}`
const readMarkPrefix = 'read '
export const readMarkRange = (): IDBKeyRange => IDBKeyRange.bound(readMarkPrefix, `${readMarkPrefix}\uffff`)

/**
 * An answer that another person began must not be stored in the vault that is open now, which may have a channel of the
 * same id.
 */
export function assertOwner(of: Owner | undefined, userId: string | undefined): void {
  if (of && of.userId !== userId) throw new AppError('channel.not-found')
}
