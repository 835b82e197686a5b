// Pages of a chat of this device that has branches: the path to its head, or another one.
import type { Message } from '@parley/contract/chat'
import { pathTo, type Step, versionOf } from '@parley/contract/conversation-tree'
import type { Device } from '../local/device'
import { exchangesAt, type StoredExchange } from '../local/exchange-records'
import { openMessage, type RunChoice } from '../local/message-codec'
import type { MessagePage, PagePosition } from './channel-store'
import { type ChatTree, pathThrough, versionsOf } from './chat-tree'

/** A page of the path. Its cursors name the path where it is not that to the head. */
export async function readPathPage(
  device: Device,
  chat: ChatTree,
  { before, after, around, limit }: PagePosition & { limit: number },
): Promise<MessagePage> {
  const at = cursorOf(before ?? after)
  const path = around === undefined ? (at?.leaf ? pathTo(chat.tree, at.leaf) : chat.path) : pathThrough(chat, around)
  const positionOf = ({ exchange }: Step): number => chat.positions.get(exchange.id) ?? 0
  const findFrom = (position: number): number => {
    const index = path.findIndex((step) => positionOf(step) >= position)
    return index < 0 ? path.length : index
  }
  let from: number
  let to: number
  if (around !== undefined) {
    const middle = path.findIndex(({ exchange }) => exchange.id === around)
    from = middle < 0 ? 0 : Math.max(0, middle - Math.floor(limit / 2))
    to = middle < 0 ? 0 : Math.min(path.length, middle + limit - Math.floor(limit / 2))
  } else if (after !== undefined) {
    from = findFrom(at?.position ?? 0)
    to = Math.min(path.length, from + limit)
  } else {
    to = at ? findFrom(at.position) : path.length
    from = Math.max(0, to - limit)
  }
  const steps = path.slice(from, to)
  const [first, last] = [steps[0], steps.at(-1)]
  const leaf = path === chat.path ? '' : ` ${path.at(-1)?.run.id}`
  return {
    messages: await readSteps(device, chat, steps),
    cursor: first && from > 0 ? `${positionOf(first)}${leaf}` : undefined,
    newer: last && to < path.length ? `${positionOf(last) + 1}${leaf}` : undefined,
    total: path.length,
  }
}

function cursorOf(text: string | undefined): { position: number; leaf: string | undefined } | undefined {
  if (text === undefined) return undefined
  const [position = '', ...leaf] = text.split(' ')
  return { position: Number(position), leaf: leaf.length === 0 ? undefined : leaf.join(' ') }
}

/** The messages of steps of a path, in their order, with their places among versions. */
async function readSteps({ db, vault }: Device, chat: ChatTree, steps: readonly Step[]): Promise<Message[]> {
  const { id: chatId } = chat.chat
  const positions = steps.flatMap(({ exchange }) => chat.positions.get(exchange.id) ?? [])
  const stored = await exchangesAt(db.transaction(['exchanges', 'runs']), chatId, positions)
  const found = steps.flatMap((step): { step: Step; stored: StoredExchange }[] => {
    const each = stored.get(step.exchange.id)
    return each ? [{ step, stored: each }] : []
  })
  return Promise.all(
    found.map(async ({ step, stored: each }) =>
      withPlace(await openMessage(vault, each, choiceOf(chat, step)), chat, step),
    ),
  )
}

/** The run that a step shows: the whole answer that the path goes through. */
export function choiceOf({ chat, tree }: ChatTree, { exchange, run }: Step): RunChoice {
  const runId = versionOf(tree, run.id)?.id ?? run.id
  const replaced = chat.back?.runId === runId ? runBefore(tree, chat.back.head, exchange.id) : undefined
  return { runId, replacedId: replaced }
}

/** The answer of an exchange on the way to another head. */
export function runBefore(tree: ChatTree['tree'], headRunId: string, exchangeId: string): string | undefined {
  const run = pathTo(tree, headRunId).find(({ exchange }) => exchange.id === exchangeId)?.run
  return run && (versionOf(tree, run.id)?.id ?? run.id)
}

/** A message with what it follows and what else stands in its place. */
export function withPlace(message: Message, { tree }: ChatTree, step: Step): Message {
  const versions = versionsOf(tree, step)
  const exchange = tree.exchanges.get(step.exchange.id)
  return {
    ...message,
    ...(exchange ? { afterRunId: tree.parentOf(exchange) } : {}),
    ...(versions === undefined ? {} : { versions }),
  }
}
