// The shape of a chat of this device, from the plain fields of its records: nothing is decrypted.
import type { Message } from '@parley/contract/chat'
import {
  answerVersions,
  newestLeafBelow,
  pathTo,
  questionVersions,
  resolveHead,
  type Step,
  type Tree,
  treeOf,
  versionOf,
} from '@parley/contract/conversation-tree'
import type { Exchange, Run } from '@parley/contract/conversations'
import { uuidv7 } from '@parley/contract/uuid'
import type { ChatRecord, ExchangeRecord, LocalDatabase, RunRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangesOf, groupsOf, oldestFirst, runsOf } from '../local/exchange-records'
import { shownRunId } from '../local/message-codec'
import { isOldForm } from '../local/readable'
import { scoped } from '../scope/scope'
import { chatIdOf, standInOf } from './chat-keys'

/** `follows`: what has to be noted in a line that gets its first branch, so that it stays the line that people read. */
export type ChatTree = {
  chat: ChatRecord
  tree: Tree
  positions: ReadonlyMap<string, number>
  follows: Record<string, string | null>
  /** The exchanges on the path to the head, each with the run that the path goes through. */
  path: readonly Step[]
}

type PlainExchange = Pick<ExchangeRecord, 'id' | 'channelId' | 'position' | 'at' | 'afterRunId'> & { isOld: boolean }
type PlainRun = Pick<RunRecord, 'id' | 'channelId' | 'exchangeId' | 'startedAt'> & { continues?: string | undefined }

/** The number of records whose texts are in memory at once while a tree is read. */
const atOnce = 500
/** The number of trees that are kept: one chat is on screen, and seldom more than another is written to. */
const maxKept = 4
const keptTrees = scoped(() => new WeakMap<LocalDatabase, Map<string, ChatTree>>())

/** A chat with changed fields, after an exchange or a run has come or gone. */
export const reshaped = (chat: ChatRecord, fields: Partial<ChatRecord> = {}): ChatRecord => ({
  ...chat,
  ...fields,
  stamp: uuidv7(),
})

/** Whether a chat has the exchanges and runs that it had, and the same head. */
export const isSameChat = (one: ChatRecord | undefined, other: ChatRecord | undefined): boolean =>
  one?.stamp === other?.stamp &&
  one?.head === other?.head &&
  one?.count === other?.count &&
  one?.lastPosition === other?.lastPosition

/** A chat with another head, or none where nothing is left, after these runs were removed. */
export function withHead(
  { head: _head, back, ...chat }: ChatRecord,
  head: string | null,
  removed: readonly Pick<RunRecord, 'id'>[],
): ChatRecord {
  const isGone = (runId: string): boolean => removed.some(({ id }) => id === runId)
  return {
    ...chat,
    ...(head === null ? {} : { head }),
    ...(head === null || !back || isGone(back.runId) || isGone(back.head) ? {} : { back }),
  }
}

/** The tree of a chat; one that has a head is read once, until its shape changes. */
export async function readTree(device: Device, channelId: string): Promise<ChatTree | undefined> {
  const { db, userId } = device
  const chatId = chatIdOf(channelId, userId)
  const kept = keptTrees()
  const trees = kept.get(db) ?? new Map<string, ChatTree>()
  kept.set(db, trees)
  const known = trees.get(chatId)
  if (known && isSameChat(known.chat, await db.get('chats', chatId))) return known
  trees.delete(chatId)
  const read = await readPlain(device, chatId)
  if (!read) return undefined
  const { chat, exchanges, runs, oldRunIds } = read
  const tree = chatTreeOf(chat, exchanges, runs, oldRunIds)
  // A message of version 2 is converted without changing the shape.
  if (chat.head !== undefined && chat.stamp !== undefined && oldRunIds.size === 0) {
    trees.set(chatId, tree)
    for (const id of trees.keys()) if (trees.size > maxKept) trees.delete(id)
  }
  return tree
}

async function readPlain({ db, vault }: Device, chatId: string) {
  const tx = db.transaction(['chats', 'exchanges', 'runs'])
  const chat = await tx.objectStore('chats').get(chatId)
  if (!chat) return undefined
  const exchanges: PlainExchange[] = []
  const old: ExchangeRecord[] = []
  for (let from = 0; ; ) {
    const batch = await tx.objectStore('exchanges').getAll(exchangesOf(chatId, from), atOnce)
    for (const record of batch) {
      const { id, channelId, position, at, afterRunId } = record
      const isOld = isOldForm(record)
      if (isOld) old.push(record)
      exchanges.push({ id, channelId, position, at, isOld, ...(afterRunId === undefined ? {} : { afterRunId }) })
    }
    if (batch.length < atOnce) break
    from = (exchanges.at(-1)?.position ?? 0) + 1
  }
  const runs: PlainRun[] = []
  for (let range = runsOf(chatId); ; ) {
    const batch = await tx.objectStore('runs').getAll(range, atOnce)
    for (const { id, channelId, exchangeId, startedAt, continues } of batch)
      runs.push({ id, channelId, exchangeId, startedAt, ...(continues === undefined ? {} : { continues }) })
    const last = batch.at(-1)
    if (!last || batch.length < atOnce) break
    range = IDBKeyRange.bound([chatId, last.exchangeId, last.id], [chatId, []], true)
  }
  // The run of a message of version 2 is told by its sealed part alone.
  const oldRunIds = new Map<string, string>()
  for (const record of old) oldRunIds.set(record.id, await shownRunId(vault, { record, runs: [] }))
  return { chat, exchanges, runs, oldRunIds }
}

/** `exchanges`: in the order of their positions. `oldRunIds`: the runs of messages of version 2. */
export function chatTreeOf(
  chat: ChatRecord,
  exchanges: readonly PlainExchange[],
  runs: readonly PlainRun[],
  oldRunIds: ReadonlyMap<string, string>,
): ChatTree {
  const runsOfExchange = groupsOf(oldestFirst(runs), ({ exchangeId }) => exchangeId)
  const placed: Exchange[] = []
  const shown: Run[] = []
  for (const { id, channelId, at, isOld } of exchanges) {
    const own = isOld ? [] : (runsOfExchange.get(id) ?? [])
    // An exchange without runs, or that cannot be read, stands for its run by its own id.
    const standIn = { id: oldRunIds.get(id) ?? id, channelId, exchangeId: id, startedAt: at }
    for (const run of own.length > 0 ? own : [standIn]) shown.push({ ...run, answer: [], status: 'completed' })
    placed.push({ id, channelId, afterRunId: null, question: [], askedAt: at })
  }
  const loose = treeOf(placed, shown)
  const follows: ChatTree['follows'] = {}
  let last: string | null = null
  for (const [index, { id, isOld, afterRunId = null }] of exchanges.entries()) {
    const noted = chat.follows !== undefined && Object.hasOwn(chat.follows, id) ? chat.follows[id] : afterRunId
    const own = isOld ? last : runNamed(loose, standInOf(chat, noted ?? null), last)
    const after = chat.head === undefined ? last : own
    if (after !== own) follows[id] = after
    const exchange = placed[index]
    if (exchange) exchange.afterRunId = after
    last = loose.runsOf(id).at(-1)?.id ?? last
  }
  const tree = treeOf(placed, shown)
  return {
    ...{ chat, tree, follows: chat.head === undefined ? follows : (chat.follows ?? {}) },
    positions: new Map(exchanges.map(({ id, position }) => [id, position])),
    path: pathTo(tree, chat.head === undefined ? last : resolveHead(tree, chat.head)),
  }
}

/** What follows a run that another one goes on with follows the whole answer. */
function runNamed(tree: Tree, id: string | null, otherwise: string | null): string | null {
  if (id === null) return null
  if (tree.runs.has(id)) return versionOf(tree, id)?.id ?? id
  return tree.runsOf(id).at(-1)?.id ?? otherwise
}

/** The run that `id` names in a tree, if it still stands for one; null for the beginning. Undefined: it is gone. */
export function placeOf({ chat, tree }: ChatTree, id: string | null): string | null | undefined {
  const place = standInOf(chat, id)
  if (place === null) return null
  return tree.runs.has(place) ? versionOf(tree, place)?.id : tree.runsOf(place).at(-1)?.id
}

/**
 * The path through an exchange, or one of its runs: that to the head where it goes through it, else to the newest leaf.
 */
export function pathThrough({ tree, path }: ChatTree, exchangeId: string, runId?: string): readonly Step[] {
  const goesThrough = ({ exchange, run }: Step): boolean =>
    exchange.id === exchangeId && (runId === undefined || run.id === runId)
  return path.some(goesThrough) ? path : pathTo(tree, newestLeafOf(tree, exchangeId, runId))
}

/** The newest leaf below an exchange, or below one of its runs; null where it is not there. */
export function newestLeafOf(tree: Tree, exchangeId: string, runId?: string): string | null {
  const runs = runId === undefined ? tree.runsOf(exchangeId) : tree.runsOf(exchangeId).filter(({ id }) => id === runId)
  const leaves = runs.map(({ id }) => newestLeafBelow(tree, id) ?? id)
  const found = leaves.flatMap((id) => tree.runs.get(id) ?? [])
  return oldestFirst(found).at(-1)?.id ?? null
}

/** What else stands in the place of a step; undefined where nothing does. */
export function versionsOf(tree: Tree, { exchange, run }: Step): Message['versions'] {
  const questions = questionVersions(tree, exchange.id).map(({ id }) => id)
  return versionsFrom(questions, answersOf(tree, exchange.id), versionOf(tree, run.id)?.id ?? run.id)
}

/** The same of an exchange in a line, by its runs, oldest first. */
export function versionsInLine(runs: readonly PlainRun[]): Message['versions'] {
  const continued = new Set(runs.map((run) => run.continues))
  const answers = runs.filter(({ id }) => !continued.has(id)).map(({ id }) => id)
  return versionsFrom([], answers, runs.at(-1)?.id ?? '')
}

const answersOf = (tree: Tree, exchangeId: string): string[] => answerVersions(tree, exchangeId).map(({ id }) => id)

function versionsFrom(questions: string[], answers: string[], answer: string): Message['versions'] {
  if (questions.length < 2 && answers.length < 2) return undefined
  return { ...(questions.length < 2 ? {} : { questions }), ...(answers.length < 2 ? {} : { answers, answer }) }
}
