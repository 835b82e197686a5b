// A temporary chat that is kept after all becomes a chat of this device.
import { type Channel, freeName } from '@parley/contract/channels'
import { isOver } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { announceHere, announceToOthers, type Change } from '../local/changes'
import type { Device } from '../local/device'
import { withTabLock } from '../local/tab-lock'
import { openDevice } from '../vault/open-device'
import type { WholeChannel } from './chat-records'
import { copySources } from './copy-sources'
import { copySummariesTo } from './copy-summaries'
import { adoptDraft } from './drafts'
import type { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { moveQueue } from './move-queue'
import { markKept, openTemporary } from './temporary-chats'

/** A question may be asked while the chat is copied; then it is copied again. */
const maxTries = 3

/**
 * Moves a temporary chat into the open vault, under its own id and with all its versions: copied in one transaction,
 * read back and compared, and only then removed from the memory of this tab, with its draft and its queue. Throws
 * AppError, and channel.answering while an answer is being written; then the chat is where it was, and nothing of it in
 * the vault.
 */
export async function keepTemporary(channelId: string, vault: LocalChannelStore = localChannels): Promise<Channel> {
  const { store, device } = await openTemporary()
  const kept = await withTabLock(`keep:${channelId}`, () => moveChat(channelId, { from: store, device, to: vault }))
  markKept(channelId)
  // Other tabs hear of it now; until then they knew nothing of the chat.
  announceEverywhere({ kind: 'channels', home: 'local' })
  announceEverywhere({ kind: 'messages', channelId })
  announceEverywhere({ kind: 'sources', channelId })
  await adoptDraft(device, channelId)
  await moveQueue(device, channelId)
  return kept
}

function announceEverywhere(change: Change): void {
  announceHere(change)
  announceToOthers(change)
}

type Stores = { from: LocalChannelStore; device: Device; to: LocalChannelStore }

async function moveChat(channelId: string, { from, device, to }: Stores): Promise<Channel> {
  const { userId = null } = await openDevice()
  for (let tries = 1; ; tries++) {
    const whole = await from.readWhole(channelId)
    if (!whole) throw new AppError('channel.not-found')
    if (whole.exchanges.some(({ runs }) => !runs.every(isOver))) throw new AppError('channel.answering')
    const { channel, exchanges, head } = whole
    const taken = (await to.list()).filter(({ assistantId }) => assistantId === channel.assistantId)
    const channelName = freeName(
      channel.channelName,
      taken.map((other) => other.channelName),
    )
    const kept: Channel = { ...channel, userId, channelName, source: 'indexeddb' }
    await to.importChannel(kept, exchanges, { head })
    try {
      if (!isSameChat({ ...whole, channel: kept }, await to.readWhole(channelId)))
        throw new AppError('channel.copy-differs')
      await copySummariesTo(to, channelId, await from.summaries(channelId))
      const sources = await copySources(channelId, device, openDevice)
      await from.removeCopied(whole, { hasEveryRun: true, sources })
      return kept
    } catch (error) {
      // The copy is of this call: nobody else has written to it.
      await to.remove(channelId)
      if (!(error instanceof AppError && error.code === 'channel.copy-differs') || tries === maxTries) throw error
    }
  }
}

/** Every field of the channel, of every question and answer, and what is shown of them. */
function isSameChat(whole: WholeChannel, copy: WholeChannel | undefined): boolean {
  return copy !== undefined && copy.head === whole.head && textOf(copy) === textOf(whole)
}

const textOf = ({ channel, exchanges, messages }: WholeChannel): string =>
  JSON.stringify([channel, exchanges, messages], inOrder)

/** The fields of objects in the order of their names. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
