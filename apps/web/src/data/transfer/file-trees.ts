// A chat in a file: the messages that are shown, as document 3 has them, and with them, where there is more, the rest
// of the tree in a field that other readers leave out.
import { isOver, type Message } from '@parley/contract/chat'
import { pathTo, treeOf } from '@parley/contract/conversation-tree'
import { Exchange, Run } from '@parley/contract/conversations'
import { type ExchangeWithRuns, messageOf, recordsOf } from '@parley/contract/message-adapter'
import { isSafeKey } from '@parley/contract/transfer'
import { type ConversationCopy, headOf, isSameAnswer, isSameQuestion, tidied } from '@parley/contract/tree-copies'
import * as z from 'zod/mini'
import { bareMessage } from '../channels/bare-message'

const isGoodId = (id: string): boolean => id.length <= 200 && isSafeKey(id)
/** `n`: its place among all exchanges of a chat with branches. */
const FileItemTree = z
  .object({ exchange: Exchange, runs: z.array(Run), n: z.optional(z.number()) })
  .check(z.refine(({ exchange, runs }) => isGoodId(exchange.id) && runs.every(({ id }) => isSafeKey(id))))

type FileItemTree = z.infer<typeof FileItemTree>

/**
 * What a message of a file does not say itself: its exchange with all runs, and those `beside` the path that come after
 * it. `head`: with the last message of a chat with branches, the run that is read.
 */
const MessageTree = z.extend(FileItemTree, {
  beside: z.optional(z.array(FileItemTree)),
  head: z.optional(Run.shape.id),
})
export type MessageTree = z.infer<typeof MessageTree>

/** A message of a file, with the rest of its tree. */
export type FileMessage = { message: Message; tree?: MessageTree }

/** The messages that a chat shows, with all others. */
export function fileMessagesOf(copy: ConversationCopy): FileMessage[] {
  const { exchanges, head } = tidied(copy)
  const numbered = exchanges.map((each, n) => ({ ...each, ...(head === null ? {} : { n }) }))
  const all = new Map(numbered.map((each) => [each.exchange.id, each]))
  const tree = treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )
  const path = pathTo(tree, headOf({ exchanges, head })).flatMap(({ exchange, run }) => {
    const each = all.get(exchange.id)
    return each ? [{ each, message: withoutRun(messageOf(each, run.id)) }] : []
  })
  const beside = besideOf(
    numbered,
    path.map(({ each }) => each.exchange.id),
  )
  return path.map(({ each, message }, index) => {
    const others = beside.get(index)
    if (head === null && isTold(each, message)) return { message }
    const isLast = head !== null && index === path.length - 1
    return { message, tree: { ...each, ...(others ? { beside: others } : {}), ...(isLast ? { head } : {}) } }
  })
}

/** The run is known only to the server that wrote it. */
function withoutRun(message: Message): Message {
  const { run: _run, ...said } = bareMessage(message)
  return said
}

/** The exchanges beside a path, by the place on it after which they come. */
function besideOf(exchanges: readonly FileItemTree[], path: readonly string[]): Map<number, FileItemTree[]> {
  const places = new Map(path.map((id, index) => [id, index]))
  const beside = new Map<number, FileItemTree[]>()
  let last = 0
  for (const each of exchanges) {
    const place = places.get(each.exchange.id)
    if (place === undefined) beside.set(last, [...(beside.get(last) ?? []), each])
    else last = place
  }
  return beside
}

/** Whether a message of document 3 tells all of its exchange. */
function isTold({ exchange, runs }: ExchangeWithRuns, message: Message): boolean {
  const again = recordsOf(message, exchange.afterRunId)
  const [own, told] = [runs[0], again.runs[0]]
  const isAlone = runs.length === 1 && own !== undefined && told !== undefined && own.id === exchange.id
  return isAlone && !exchange.isPinned && isSameAnswer(own, told) && isSameQuestion(exchange, again.exchange)
}

/**
 * The tree of a message of a file; null where it cannot be read or is another message's, undefined where there is none.
 */
export function messageTreeOf(value: unknown, mId: string): MessageTree | null | undefined {
  const given = z.safeParse(z.object({ tree: z.optional(z.unknown()) }), value).data?.tree
  if (given === undefined) return undefined
  const { data } = z.safeParse(MessageTree, given)
  return data && data.exchange.id === mId && data.runs.length > 0 ? data : null
}

/** The chat of a file's messages. What cannot be placed begins it, and a head that is not there is the newest run. */
export function copyOfFile(messages: readonly FileMessage[], channelId: string): ConversationCopy {
  const head = messages.findLast(({ tree }) => tree?.head !== undefined)?.tree?.head ?? null
  const all: (FileItemTree & { n: number })[] = []
  let last: string | null = null
  for (const { message, tree } of messages) {
    const each: FileItemTree = tree ?? recordsOf(message, last)
    const n = each.n ?? all.at(-1)?.n ?? 0
    all.push({ ...each, n }, ...(tree?.beside ?? []).map((other) => ({ ...other, n: other.n ?? n })))
    last = each.runs.at(-1)?.id ?? last
  }
  const exchanges = new Map<string, ExchangeWithRuns>()
  for (const { exchange, runs } of all.toSorted((a, b) => a.n - b.n)) {
    if (exchanges.has(exchange.id)) continue
    const own = runs.map((run) => ended({ ...run, channelId, exchangeId: exchange.id }))
    exchanges.set(exchange.id, { exchange: { ...exchange, channelId }, runs: own })
  }
  return tidied({ exchanges: [...exchanges.values()], head })
}

/** What was being written when the file was made is written by nobody. */
const ended = (run: Run): Run => (isOver(run) ? run : { ...run, status: 'interrupted' })

/** The messages of a chat, where they tell all of it; undefined where there are versions. */
export function plainMessagesOf(copy: ConversationCopy): Message[] | undefined {
  const messages = fileMessagesOf(copy)
  return messages.some(({ tree }) => tree) ? undefined : messages.map(({ message }) => message)
}
