// Copies of chats that an import replaced, encrypted on this device for 30 days.
import { Channel, type StorageMode } from '@parley/contract/channels'
import { Message } from '@parley/contract/chat'
import { settingsChange } from '@parley/contract/chat-settings'
import { newestLeafBelow, pathTo, type Tree, treeOf } from '@parley/contract/conversation-tree'
import { Exchange, Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { type ConversationCopy, headOf, tidied } from '@parley/contract/tree-copies'
import * as z from 'zod/mini'
import { addToCloudTree, readCloudTree } from '../channels/cloud-trees'
import { fillCloud, readAllFromCloud } from '../channels/fill-cloud'
import { idOf } from '../channels/fit-exchanges'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { retryWhenRateLimited } from '../channels/rate-limit-retry'
import { withCloudIds } from '../channels/unite-copies'
import { announce } from '../local/changes'
import { isRecordError, orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'

/**
 * `exchanges`: those of a chat of this device, instead of `messages`, which a chat of the cloud has, and copies of
 * before.
 * `head`: of a chat with branches.
 */
const ReplacedChat = z.object({
  channel: Channel,
  messages: z.array(Message),
  exchanges: z.optional(z.array(z.object({ exchange: Exchange, runs: z.array(Run) }))),
  head: z.optional(z.string()),
})
export type ReplacedChat = z.infer<typeof ReplacedChat>
type Copy = ReplacedChat & { id: string; at: string }

const bindingOf = (id: string, channelId: string) => ({ table: 'undo', id, channelId })
const maxAgeMs = webLimits.transfer.undoDays * 24 * 60 * 60 * 1_000

/**
 * Stores a copy before the chat is replaced. Throws AppError: then the chat must not be replaced. `at`: the time of the
 * import.
 */
export async function storeForUndo(replaced: ReplacedChat, at: string): Promise<void> {
  const id = `${replaced.channel.id}|${at}`
  await orStorageError(() =>
    writeSealed(openDevice, ['undo'], async ({ vault }) => {
      const { channel, messages, exchanges, head } = replaced
      const copy: ReplacedChat = exchanges
        ? { channel, messages: [], exchanges, ...(head === undefined ? {} : { head }) }
        : { channel, messages }
      const sealed = await vault.seal(bindingOf(id, channel.id), copy)
      return (records) => records.put('undo', { id, channelId: replaced.channel.id, at, ...sealed })
    }),
  )
}

/** The time of the newest import that can be undone, and how many chats it replaced. Expired copies are removed. */
export async function findUndoableImport(now: Date = new Date()): Promise<{ at: string; chats: number } | undefined> {
  return orStorageError(async () => {
    const { db } = await openDevice()
    const records = await db.getAll('undo')
    const isOld = ({ at }: { at: string }): boolean => now.getTime() - Date.parse(at) > maxAgeMs
    const old = records.filter(isOld)
    if (old.length > 0)
      await writeSealed(
        openDevice,
        ['undo'],
        async () => async (write) => void (await Promise.all(old.map(({ id }) => write.removeAny('undo', id)))),
      )
    const times = records.filter((record) => !isOld(record)).map(({ at }) => at)
    const at = times.toSorted().at(-1)
    return at === undefined ? undefined : { at, chats: times.filter((each) => each === at).length }
  })
}

/**
 * Restores the chats that the newest import replaced. Messages added since stay, after the restored ones; imported
 * messages are removed only where they replaced others. Answers the number of restored chats. After a failure the next
 * call resumes.
 */
export async function undoImport(): Promise<number> {
  const last = await findUndoableImport()
  if (!last) return 0
  let count = 0
  try {
    for (const copy of await copiesOfImport(last.at)) {
      await restoreCopy(copy)
      await writeSealed(openDevice, ['undo'], async () => (records) => records.removeAny('undo', copy.id))
      count++
    }
    return count
  } finally {
    announce({ kind: 'channels' })
  }
}

async function copiesOfImport(at: string): Promise<Copy[]> {
  const { db, vault } = await openDevice()
  const copies: Copy[] = []
  for (const record of (await db.getAll('undo')).filter((each) => each.at === at)) {
    const value = await vault.open(bindingOf(record.id, record.channelId), record).catch((error: unknown) => {
      // An unreadable copy stays; the others can be restored.
      if (!(error instanceof AppError && isRecordError(error))) throw error
    })
    const replaced = z.safeParse(ReplacedChat, value)
    if (replaced.success) copies.push({ ...replaced.data, id: record.id, at })
  }
  return copies
}

async function restoreCopy({ channel, messages, exchanges, head, at }: Copy): Promise<void> {
  const mode: StorageMode = modeOf(channel)
  const known = new Set((exchanges ?? messages).map(idOf))
  if (mode === 'local') {
    const now = await localChannels.readWhole(channel.id)
    const since = (now?.exchanges ?? []).filter(({ exchange }) => !known.has(exchange.id))
    const grown = exchanges && head !== undefined ? grownBy(since, { exchanges, head }) : undefined
    await localChannels.importChannel(
      { ...channel, isLocked: now?.channel.isLocked ?? channel.isLocked },
      grown?.exchanges ?? [...(exchanges ?? messages), ...since],
      { isReplacing: true, head: grown?.head ?? head },
    )
    announce({ kind: 'messages', channelId: channel.id })
    return
  }
  const there = await retryWhenRateLimited(() => cloudChannels.get(channel.id))
  if (!there) throw new AppError('channel.not-found')
  if (exchanges) {
    const since = tidied(await readCloudTree(channel.id)).exchanges.filter(({ exchange }) => !known.has(exchange.id))
    const all = grownBy(since, { exchanges, head: headOf({ exchanges, head: head ?? null }) })
    // As below.
    const grown = { channel, messages: [], exchanges: [...all.exchanges] }
    if (since.length > 0) await storeForUndo({ ...grown, ...(all.head === null ? {} : { head: all.head }) }, at)
    await retryWhenRateLimited(() => cloudChannels.clear(channel.id))
    await addToCloudTree(channel.id, await withCloudIds(all))
    return renewChannel(there, channel)
  }
  const since = (await readAllFromCloud(channel.id)).filter(({ mId }) => !known.has(mId))
  const all = [...messages, ...since]
  // The newer messages are added to the copy before the chat is cleared: after an interruption the next attempt
  // restores all of it.
  if (since.length > 0) await storeForUndo({ channel, messages: all }, at)
  await retryWhenRateLimited(() => cloudChannels.clear(channel.id))
  await fillCloud(channel.id, all)
  return renewChannel(there, channel)
}

/** The copy with what was said since, read up to where it was, or to the newest that was said since after that. */
function grownBy(since: readonly ExchangeWithRuns[], { exchanges, head }: ConversationCopy): ConversationCopy {
  const all = [...exchanges, ...since]
  const path = new Set(pathTo(asTree(all), head).map(({ exchange }) => exchange.id))
  const going = asTree([...exchanges.filter(({ exchange }) => path.has(exchange.id)), ...since])
  return tidied({ exchanges: all, head: newestLeafBelow(going, head) ?? head })
}

const asTree = (exchanges: readonly ExchangeWithRuns[]): Tree =>
  treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )

/** Gives the channel the settings and the name that it had. */
async function renewChannel(there: Channel, channel: Channel): Promise<void> {
  const change = settingsChange(there, channel)
  if (change) await retryWhenRateLimited(() => cloudChannels.configure(channel.id, change))
  if (there.channelName !== channel.channelName)
    await retryWhenRateLimited(() => cloudChannels.rename(channel.id, channel.channelName))
}
