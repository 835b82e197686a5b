// Versions of questions and answers in the device's storage. What one looks at is plain; what is removed has to be
// readable, and what is copied is sealed anew.
import { assertCanClear, type Channel, freeName } from '@parley/contract/channels'
import { isOver } from '@parley/contract/chat'
import { pathTo, removalOfBranch, resolveHead, type Step, treeOf, versionOf } from '@parley/contract/conversation-tree'
import type { Exchange, Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { uuidv7 } from '@parley/contract/uuid'
import type { Device } from '../local/device'
import { exchangeById, type StoredExchange } from '../local/exchange-records'
import { readConversation } from '../local/message-codec'
import { isOldForm, readChannel } from '../local/readable'
import { OutdatedRead, writeSealed } from '../local/write-sealed'
import { idsForCopies, sharedSources } from '../sources/device-copies'
import { exchangesWithSourceIds } from '../sources/source-copies'
import type { Version } from './channel-store'
import { chatIdOf, summaryRange } from './chat-keys'
import { type ChatTree, isSameChat, newestLeafOf, pathThrough, readTree, reshaped, withHead } from './chat-tree'
import { importToDevice } from './import-to-device'

type OpenDevice = () => Promise<Device>

async function treeWith(device: Device, channelId: string, { mId, runId }: Version): Promise<ChatTree> {
  const chat = await readTree(device, channelId)
  const run = runId === undefined ? undefined : chat?.tree.runs.get(runId)
  const isThere = chat?.tree.exchanges.has(mId) && (runId === undefined || run?.exchangeId === mId)
  if (!chat || !isThere) throw new AppError('not-found')
  return chat
}

/** Makes the newest leaf below a version the head of its chat. Throws not-found. */
export function showVersion(openDevice: OpenDevice, channelId: string, version: Version): Promise<void> {
  return writeSealed(openDevice, ['chats'], async (device) => {
    const tree = await treeWith(device, channelId, version)
    const { mId, runId } = version
    const shownId = runId === undefined ? undefined : versionOf(tree.tree, runId)?.id
    const leaf = newestLeafOf(tree.tree, mId, shownId)
    const isShown = tree.path.some(({ exchange, run }) => exchange.id === mId && (!shownId || run.id === shownId))
    return async (records) => {
      const chat = await records.read('chats').get(chatIdOf(channelId, device.userId))
      if (!chat || !isSameChat(chat, tree.chat)) throw new OutdatedRead()
      // A line stays one, as long as nobody leaves it.
      if (leaf === null || (isShown && tree.path.at(-1)?.run.id === leaf)) return
      const { back: _back, ...rest } = chat
      await records.put('chats', reshaped(rest, { head: leaf, follows: tree.follows }))
    }
  })
}

/**
 * Copies the path up to a version and the active sources into a channel of its own, under new ids. Throws not-found,
 * channel.answering while the version is being written, and storage.unreadable and storage.newer-version where anything
 * of the path cannot be read.
 */
export async function branchChat(
  openDevice: OpenDevice,
  channelId: string,
  version: Version,
  { others, now }: { others: readonly Channel[]; now: Date },
): Promise<Channel> {
  const device = await openDevice()
  const record = await device.db.get('channels', channelId)
  if (!record) throw new AppError('channel.not-found')
  const from = await readChannel(device.vault, record)
  const steps = await stepsUpTo(device, channelId, version)
  const at = now.toISOString()
  const names = others.filter(({ assistantId }) => assistantId === from.assistantId).map((other) => other.channelName)
  const { lastSyncedAt: _synced, exportedAt: _exported, deviceInfo: _device, ...fields } = from
  const channel: Channel = {
    ...{ ...fields, id: uuidv7(), channelName: freeName(from.channelName, names), isLocked: false },
    ...{ created_at: at, updated_at: at },
  }
  const ids = await idsForCopies(device, channelId)
  await importToDevice(openDevice, channel, exchangesWithSourceIds(underNewIds(steps), ids), {
    shared: (now) => sharedSources(now, { from: channelId, to: channel.id, ids }),
  })
  return channel
}

/** The exchanges up to a version, each with the run that the path goes through and those that it goes on with. */
async function stepsUpTo(device: Device, channelId: string, { mId, runId }: Version): Promise<ExchangeWithRuns[]> {
  const { tree, path } = await pathUpTo(device, channelId, { mId, ...(runId === undefined ? {} : { runId }) })
  const { db, vault, userId } = device
  const copied: ExchangeWithRuns[] = []
  for (const step of path) {
    const stored = await exchangeById(
      db.transaction(['exchanges', 'runs']),
      chatIdOf(channelId, userId),
      step.exchange.id,
    )
    if (!stored) throw new AppError('conflict')
    const chain = chainOf(stored, versionOf(tree, step.run.id)?.id ?? step.run.id)
    const { exchange, runs } = await readConversation(vault, { ...stored, runs: chain }, null)
    if (step === path.at(-1) && runs.some((run) => !isOver(run))) throw new AppError('channel.answering')
    copied.push({ exchange, runs: runs.map(interrupted) })
  }
  return copied
}

async function pathUpTo(
  device: Device,
  channelId: string,
  version: Version,
): Promise<{ tree: ChatTree['tree']; path: readonly Step[] }> {
  const chat = await treeWith(device, channelId, version)
  const { tree } = chat
  const { mId, runId } = version
  if (runId !== undefined) return { tree, path: pathTo(tree, versionOf(tree, runId)?.id ?? runId) }
  const through = pathThrough(chat, mId)
  return { tree, path: through.slice(0, through.findIndex(({ exchange }) => exchange.id === mId) + 1) }
}

/** A run and those that it goes on with; a Message of version 2 has both in itself. */
function chainOf({ record, runs }: StoredExchange, runId: string): StoredExchange['runs'] {
  if (isOldForm(record)) return runs
  const chain = new Set(runs.filter(({ id }) => id === runId))
  for (const { continues } of chain) for (const run of runs) if (run.id === continues) chain.add(run)
  return runs.filter((run) => chain.has(run))
}

/** A copy is written by nobody. */
function interrupted(run: Run): Run {
  if (isOver(run)) return run
  const { seq: _seq, ...rest } = run
  return { ...rest, status: 'interrupted' }
}

function underNewIds(steps: readonly ExchangeWithRuns[]): ExchangeWithRuns[] {
  let last: string | null = null
  return steps.map(({ exchange, runs }) => {
    const id = uuidv7()
    // The first run of an exchange has its id, as everywhere.
    const ids = new Map(runs.map((run, index) => [run.id, index === 0 ? id : uuidv7()]))
    const copy: Exchange = { ...exchange, id, afterRunId: last }
    const copies = runs.map((run): Run => {
      const { continues, ...rest } = run
      const goesOnWith = continues === undefined ? undefined : ids.get(continues)
      return {
        ...{ ...rest, id: ids.get(run.id) ?? id, exchangeId: id },
        ...(goesOnWith === undefined ? {} : { continues: goesOnWith }),
      }
    })
    last = copies.at(-1)?.id ?? id
    return { exchange: copy, runs: copies }
  })
}

/**
 * Removes an exchange and everything below it: on one device nothing hangs on their tombstones. Throws not-found,
 * channel.locked-clear, and storage.unreadable and storage.newer-version where any of it cannot be read.
 */
export function removeBranch(openDevice: OpenDevice, channelId: string, mId: string): Promise<void> {
  return writeSealed(openDevice, ['channels', 'chats', 'exchanges', 'runs', 'summaries'], async (device) => {
    const { db, vault, userId } = device
    const chatId = chatIdOf(channelId, userId)
    const record = await db.get('channels', channelId)
    if (!record) throw new AppError('channel.not-found')
    assertCanClear(await readChannel(vault, record))
    const chat = await treeWith(device, channelId, { mId })
    const { tree, positions } = chat
    const { exchanges, runs } = removalOfBranch(tree, mId, new Date().toISOString())
    const left = treeOf([...tree.exchanges.values(), ...exchanges], [...tree.runs.values(), ...runs])
    const head = resolveHead(left, chat.path.at(-1)?.run.id ?? null)
    return async (records) => {
      const now = await records.read('chats').get(chatId)
      if (!now || !isSameChat(now, chat.chat)) throw new OutdatedRead()
      for (const { id } of exchanges) {
        const position = positions.get(id)
        if (position === undefined) continue
        const [stored] = await records.exchanges(IDBKeyRange.only([chatId, position]))
        await records.removeReadable('exchanges', [chatId, position])
        await records.removeReadable('runs', ...(stored?.runs ?? []).map((run): RunKey => [chatId, id, run.id]))
        await records.removeAny('summaries', summaryRange(chatId, id))
      }
      const follows = Object.entries(chat.follows).filter(([id]) => exchanges.every((each) => each.id !== id))
      const isLine = now.head === undefined
      await records.put(
        'chats',
        reshaped(isLine ? now : withHead(now, head, runs), {
          count: now.count - exchanges.length,
          ...(isLine ? {} : { follows: Object.fromEntries(follows) }),
        }),
      )
    }
  })
}
type RunKey = [string, string, string]
