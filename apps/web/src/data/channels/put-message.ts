// What a message changes in the device's storage: its exchange once, its run each time, and the head of its chat.
import { isOver, type Message } from '@parley/contract/chat'
import { versionOf } from '@parley/contract/conversation-tree'
import type { Exchange, Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { messageOf, recordsOf } from '@parley/contract/message-adapter'
import { runsToWrite } from '@parley/contract/stored-message'
import type { ChatRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangeBefore, exchangeById, exchangesOf, oldestFirst, type StoredExchange } from '../local/exchange-records'
import { readConversation, readMessage, sealExchange, sealRun, shownRunId } from '../local/message-codec'
import { isOldForm, isSameRecord, readRun } from '../local/readable'
import type { Vault } from '../local/vault'
import { type NoteRead, OutdatedRead, writeSealed } from '../local/write-sealed'
import type { Owner } from './channel-store'
import { assertOwner, chatIdOf, emptyChat } from './chat-keys'
import {
  type ChatTree,
  isSameChat,
  pathThrough,
  placeOf,
  readTree,
  reshaped,
  versionsInLine,
  versionsOf,
} from './chat-tree'
import { runBefore } from './local-path-page'

/**
 * The exchange before a change, as it was read, and the one that a new exchange follows, or one of before version 3.
 */
type Before = { known: StoredExchange | undefined; last: StoredExchange | undefined }
/** `exchange`: only where it is not stored in its form of version 3 already. */
type Change = { exchange?: Exchange; runs: Run[] }
/**
 * `shape`: what it changes in its chat; `isBranch`: other messages are on the path afterwards; `isSettled`: there is no
 * head to return to any more.
 */
type Place = { shape?: Partial<ChatRecord> | undefined; isBranch: boolean; isSettled?: boolean }
type LookUp = {
  exchange: () => Promise<StoredExchange | undefined>
  before: (position: number) => Promise<StoredExchange | undefined>
}
/**
 * `isNew`: it was inserted. `isBranch`: other messages are on the path than before. `shown`: the message with its place
 * in the chat, where it is what people read there now.
 */
export type PutResult = { isNew: boolean; isBranch: boolean; shown: Message | undefined }

/**
 * Inserts a message, or writes the run of one that is stored: another run where another one answers it. Sets the
 * channel's last activity to `at`. `isAnswer`: undefined where its run was deleted meanwhile, and then nothing is
 * written. Throws channel.not-found, and not-found where what it follows is gone.
 */
export function putMessage(
  openDevice: () => Promise<Device>,
  message: Message,
  { of, at, isAnswer }: { of: Owner | undefined; at: string; isAnswer: boolean },
): Promise<PutResult | undefined> {
  const { channelId, mId } = message
  return writeSealed(openDevice, ['channels', 'chats', 'exchanges', 'runs'], async (device, noteRead) => {
    const { db, vault, userId } = device
    assertOwner(of, userId)
    const chatId = chatIdOf(channelId, userId)
    const tx = db.transaction(['chats', 'exchanges', 'runs'])
    const chat = (await tx.objectStore('chats').get(chatId)) ?? emptyChat(channelId, userId)
    const before = await readBefore({
      exchange: () => exchangeById(tx, chatId, mId),
      before: (position) => exchangeBefore(tx, chatId, position),
    })
    const { known } = before
    const isLast =
      !known || (await tx.objectStore('exchanges').getKey(exchangesOf(chatId, known.record.position + 1))) === undefined
    const isAnother = known !== undefined && !(await isOfStored(vault, message, known))
    if (isAnswer && (!known || isAnother) && !(await isAwaited(device, message)))
      return async (records) => {
        if (!(await records.own('channels', channelId))) throw new AppError('channel.not-found')
        return undefined
      }
    const afterRunId = before.last ? await shownRunId(vault, before.last) : null
    const isBranch = known
      ? isAnother && !isLast && !isContinuation(message)
      : message.afterRunId !== undefined && message.afterRunId !== afterRunId
    const tree = chat.head !== undefined || isBranch ? await readTree(device, channelId) : undefined
    const change: Change & Place = tree
      ? await changeOfTree(vault, message, { known, tree, noteRead })
      : { ...(await changeOf(vault, message, { known, afterRunId, noteRead })), isBranch: false }
    const isReshaped =
      !known || change.shape !== undefined || change.isSettled || change.runs.some((run) => isUnlike(run, known))
    const { exchange, runs } = change
    const sealedRuns = await Promise.all(runs.map((run) => sealRun(vault, run, chatId)))
    const sealed = exchange && (await sealExchange(vault, exchange, { chatId, position: 0 }))
    const shown = shownAfter(message, change, { known, tree, afterRunId })
    return async (records) => {
      const channel = await records.own('channels', channelId)
      // A late answer must not recreate a channel that was deleted meanwhile.
      if (!channel) throw new AppError('channel.not-found')
      const now = (await records.read('chats').get(chatId)) ?? emptyChat(channelId, userId)
      const then = await readBefore({
        exchange: () => records.exchange(chatId, mId),
        before: (end) => records.exchangeBefore(chatId, end),
      })
      if (!isSameBefore(before, then) || (tree && !isSameChat(now, chat))) throw new OutdatedRead()
      const position = known?.record.position ?? now.lastPosition + 1
      // The question that an answer is stored under has to be readable itself.
      if (sealed) await records.put('exchanges', { ...sealed, position })
      else await records.own('exchanges', [chatId, position])
      for (const run of sealedRuns) await records.put('runs', run)
      const grown = known ? {} : { count: now.count + 1, lastPosition: position }
      const { back, ...chatNow } = now
      const shape = { ...(back && !change.isSettled ? { back } : {}), ...grown, ...change.shape }
      if (isReshaped) await records.put('chats', reshaped(chatNow, shape))
      await records.put('channels', { ...channel, at })
      return { isNew: !known, isBranch: change.isBranch, shown }
    }
  })
}

/**
 * Whether the outbox still has the question of an answer: who deletes a message takes it off there before. What is gone
 * for another reason, such as an import that replaced the chat, comes back with its answer.
 */
const isAwaited = async ({ db }: Device, { run }: Message): Promise<boolean> =>
  run !== undefined && (await db.get('outbox', run.messageId)) !== undefined

/** It goes on after what stands, instead of anew. */
const isContinuation = ({ run }: Message): boolean => run !== undefined && run.base > 0

/** Whether a run is another one than those stored, or goes on with another one than before. */
const isUnlike = ({ id, continues }: Run, { runs }: StoredExchange): boolean =>
  !runs.some((stored) => stored.id === id && stored.continues === continues)

type Known = { known: StoredExchange | undefined; noteRead: NoteRead }
type StoredIn = { known: StoredExchange; noteRead: NoteRead }

/** The change in a line: a new exchange stands at its end, and each shows its newest run. */
async function changeOf(
  vault: Vault,
  message: Message,
  { known, afterRunId, noteRead }: Known & { afterRunId: string | null },
): Promise<Change> {
  if (!known) return recordsOf(message, afterRunId)
  if (isOldForm(known.record)) return converted(vault, message, { known, afterRunId, noteRead })
  const newest = known.runs.at(-1)
  if (!newest || isStored(message, known)) return { runs: runsToWrite(message, known.runs) }
  return { runs: await anotherRun(vault, message, { known, noteRead, shownId: newest.id }) }
}

/** The change in a chat with branches, and in a line that gets its first one. */
async function changeOfTree(
  vault: Vault,
  message: Message,
  { known, tree: chat, noteRead }: Known & { tree: ChatTree },
): Promise<Change & Place> {
  const { tree, path, follows } = chat
  const head = path.at(-1)?.run.id ?? null
  const shape = { follows, ...(head === null ? {} : { head }) }
  if (!known) {
    const afterRunId = message.afterRunId === undefined ? head : placeOf(chat, message.afterRunId)
    if (afterRunId === undefined) throw new AppError('not-found')
    const records = recordsOf(message, afterRunId)
    const isBranch = afterRunId !== head && afterRunId !== placeOf(chat, head)
    return { ...records, isBranch, shape: { ...shape, head: records.runs.at(-1)?.id ?? message.mId } }
  }
  const runId = runIdOf(message)
  const isHead = path.at(-1)?.exchange.id === message.mId
  if (await isOfStored(vault, message, known)) {
    const back = chat.chat.back?.runId === runId ? chat.chat.back : undefined
    const change = await sameRun(vault, message, { known, chat, noteRead, headBefore: back?.head })
    if (!back || !isOver(message)) return { ...change, isBranch: false }
    if (!isNothing(message) || head !== runId) return { ...change, isBranch: false, isSettled: true }
    return { ...change, isBranch: true, isSettled: true, shape: { head: back.head } }
  }
  const step = pathThrough(chat, message.mId).find(({ exchange }) => exchange.id === message.mId)
  const shownId = step && (versionOf(tree, step.run.id)?.id ?? step.run.id)
  const change = isOldForm(known.record)
    ? await converted(vault, message, { known, noteRead, afterRunId: step ? tree.parentOf(step.exchange) : null })
    : { runs: await anotherRun(vault, message, { known, noteRead, shownId: shownId ?? '' }) }
  const own = change.runs.at(-1)
  const isMoved = own?.continues === undefined || own.continues !== shownId
  if (!isMoved) return { ...change, isBranch: false, shape: { ...shape, ...(isHead && own ? { head: own.id } : {}) } }
  const back = head === null || !own ? {} : { back: { runId: own.id, head } }
  return { ...change, isBranch: !isHead, shape: { ...shape, ...(own ? { head: own.id } : {}), ...back } }
}

/**
 * The change where the run of a message is written anew. `headBefore`: the head to which its chat returns without it.
 */
async function sameRun(
  vault: Vault,
  message: Message,
  { known, chat, noteRead, headBefore }: StoredIn & { chat: ChatTree; headBefore: string | undefined },
): Promise<Change> {
  const exchange = chat.tree.exchanges.get(message.mId)
  if (isOldForm(known.record) && exchange)
    return converted(vault, message, { known, noteRead, afterRunId: chat.tree.parentOf(exchange) })
  const replacedId = headBefore === undefined ? undefined : runBefore(chat.tree, headBefore, message.mId)
  return { runs: runsToWrite(message, known.runs, undefined, replacedId) }
}

/** The message as people read it after the change; undefined where they read another answer in its place. */
function shownAfter(
  message: Message,
  { runs, shape, isBranch }: Change & Place,
  {
    known,
    tree,
    afterRunId,
  }: { known: StoredExchange | undefined; tree: ChatTree | undefined; afterRunId: string | null },
): Message | undefined {
  if (isBranch) return undefined
  const { versions: _versions, ...said } = message
  const own = runs.at(-1)
  if (!known || !own) return { ...said, afterRunId: message.afterRunId ?? tree?.path.at(-1)?.run.id ?? afterRunId }
  const all = oldestFirst([...known.runs.filter(({ id }) => runs.every((run) => run.id !== id)), ...runs])
  const answers = versionsInLine(all)
  if (!tree)
    return answers?.answer === undefined || answers.answer === own.id
      ? { ...said, ...(answers && { versions: answers }) }
      : undefined
  const step = tree.path.find(({ exchange }) => exchange.id === message.mId)
  const isShown =
    shape?.head === own.id ||
    (step && (own.continues === step.run.id || versionOf(tree.tree, step.run.id)?.id === own.id))
  if (!isShown) return undefined
  const versions = { ...(step && versionsOf(tree.tree, step)), ...answers, ...(answers ? { answer: own.id } : {}) }
  return { ...said, ...(Object.keys(versions).length === 0 ? {} : { versions }) }
}

/** An ended run that says nothing itself. */
function isNothing({ chat_response, run, empty }: Message): boolean {
  return empty === true || chat_response.content.slice(run?.base ?? 0).trim() === ''
}

/** The runs of a message that another one answers, beside or after the one that is shown. */
async function anotherRun(
  vault: Vault,
  message: Message,
  { known, noteRead, shownId }: StoredIn & { shownId: string },
): Promise<Run[]> {
  const record = known.runs.find(({ id }) => id === shownId)
  if (!record) return runsToWrite(message, known.runs)
  const shown = { run: await readRun(vault, record), message: await readMessage(vault, known, { runId: shownId }) }
  noteRead({ table: 'exchanges', record: known.record }, { table: 'runs', record })
  return runsToWrite(message, known.runs, shown)
}

/** A message of version 2 becomes an exchange and runs with its change. */
async function converted(
  vault: Vault,
  message: Message,
  { known, afterRunId, noteRead }: StoredIn & { afterRunId: string | null },
): Promise<Change> {
  const { exchange, runs } = await readConversation(vault, known, afterRunId)
  noteRead({ table: 'exchanges', record: known.record })
  const run = runs.at(-1)
  const shown = run && { run, message: messageOf({ exchange, runs }, run.id) }
  const changed = new Map(runsToWrite(message, runs, shown).map((each) => [each.id, each]))
  return { exchange, runs: [...new Map([...runs.map((each) => [each.id, each] as const), ...changed]).values()] }
}

const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId

/** Whether the run of a message is stored, in whichever form. */
async function isOfStored(vault: Vault, message: Message, known: StoredExchange): Promise<boolean> {
  if (!isOldForm(known.record)) return isStored(message, known)
  return message.run === undefined || (await shownRunId(vault, known)) === message.run.messageId
}

/** Whether the run of a message is stored: then nothing has to be decrypted to write it anew. */
const isStored = ({ mId, run }: Message, { runs }: StoredExchange): boolean =>
  run ? runs.some(({ id }) => id === run.messageId) : runs.at(-1)?.id === mId

async function readBefore(look: LookUp): Promise<Before> {
  const known = await look.exchange()
  const isWhole = known && !isOldForm(known.record)
  return { known, last: isWhole ? undefined : await look.before(known?.record.position ?? Number.MAX_SAFE_INTEGER) }
}

/** Whether nobody has written in between; the run of the message itself is written by one tab at a time. */
function isSameBefore(one: Before, other: Before): boolean {
  return isSameStored(one.known, other.known) && isSameStored(one.last, other.last)
}

function isSameStored(one: StoredExchange | undefined, other: StoredExchange | undefined): boolean {
  if (!one || !other) return one === other
  return (
    isSameRecord(one.record, other.record) &&
    one.record.position === other.record.position &&
    one.runs.length === other.runs.length &&
    one.runs.every((run, index) => run.id === other.runs[index]?.id)
  )
}
