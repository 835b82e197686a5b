// The tree of a conversation of ChatGPT as exchanges and runs: a user's turn asks, each way on from it to the next one
// is an answer.
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { textParts } from '@parley/contract/parts'
import type { ConversationCopy } from '@parley/contract/tree-copies'

/** A turn that people see. `before`: the one that it follows; undefined: it begins the conversation. */
export type Turn = {
  nodeId: string
  isQuestion: boolean
  text: string
  at: string | undefined
  model: string | undefined
  before: string | undefined
}

type Place = { exchangeId: string; text: string; model: string | undefined; at: string }

/** `turns`: each after the one that it follows. `current`: the one that was on screen. */
export function conversationOf(
  turns: readonly Turn[],
  { current, channelId, created }: { current: string | undefined; channelId: string; created: string },
): ConversationCopy {
  const following = new Map<string, Turn[]>()
  for (const turn of turns)
    if (turn.before !== undefined) following.set(turn.before, [...(following.get(turn.before) ?? []), turn])
  const followers = (nodeId: string): readonly Turn[] => following.get(nodeId) ?? []
  const byId = new Map(turns.map((turn) => [turn.nodeId, turn]))
  const shown = endOf(byId.get(current ?? ''), followers)
  const onPath = pathTo(byId, shown)
  const exchangesOnPath = new Set<string>()
  const places = new Map<string, Place>()
  const exchanges = new Map<string, ExchangeWithRuns>()
  const runIds = new Map<string, string>()
  let characters = 0

  /** What comes after this turn is said there: the answer that ends with it, or none of its question. */
  const runAt = (turn: Turn): string => {
    const known = runIds.get(turn.nodeId)
    const place = places.get(turn.nodeId)
    const each = exchanges.get(place?.exchangeId ?? '')
    if (known !== undefined || !place || !each) return known ?? ''
    const { id } = each.exchange
    // The answer that is shown has the id of its exchange, or else the first one.
    const isShown = onPath.has(turn.nodeId) || !exchangesOnPath.has(id)
    const isOwn = isShown && each.runs.every((run) => run.id !== id)
    const run: Run = {
      ...{ id: isOwn ? id : idOf(`${turn.nodeId}${turn.isQuestion ? ':none' : ''}`), channelId, exchangeId: id },
      ...{ answer: textParts(place.text), status: 'completed', startedAt: place.at },
      ...(place.model === undefined ? {} : { model: place.model }),
    }
    each.runs.push(run)
    runIds.set(turn.nodeId, run.id)
    return run.id
  }
  const begun: Turn[] = []
  for (const turn of turns) {
    const before = byId.get(turn.before ?? '')
    const place = places.get(before?.nodeId ?? '')
    const each = exchanges.get(place?.exchangeId ?? '')
    const isMore = turn.isQuestion && before?.isQuestion && followers(before.nodeId).length === 1
    if (place && each && isMore) {
      const [text = ''] = each.exchange.question.flatMap((part) => ('text' in part ? [part.text] : []))
      each.exchange.question = textParts(joined(text, turn.text))
      places.set(turn.nodeId, place)
    } else if (place && !turn.isQuestion) {
      const at = later(turn.at ?? place.at, place.at)
      const said = { text: joined(place.text, turn.text), model: turn.model ?? place.model, at }
      places.set(turn.nodeId, { ...place, ...said })
      characters += said.text.length
      if (characters > webLimits.transfer.maxCharactersOfChannel) throw new AppError('transfer.too-large')
    } else {
      const id = idOf(turn.nodeId)
      const askedAt = turn.at ?? place?.at ?? created
      const question = textParts(turn.isQuestion ? turn.text : '')
      exchanges.set(id, { exchange: { id, channelId, afterRunId: null, question, askedAt }, runs: [] })
      const answer = turn.isQuestion ? { text: '', model: undefined } : { text: turn.text, model: turn.model }
      places.set(turn.nodeId, { exchangeId: id, at: askedAt, ...answer })
      begun.push(turn)
    }
    if (onPath.has(turn.nodeId)) exchangesOnPath.add(places.get(turn.nodeId)?.exchangeId ?? '')
  }
  for (const turn of begun) {
    const before = byId.get(turn.before ?? '')
    const each = exchanges.get(places.get(turn.nodeId)?.exchangeId ?? '')
    if (before && each) each.exchange.afterRunId = runAt(before)
  }
  for (const turn of turns) if (followers(turn.nodeId).length === 0) runAt(turn)
  return { exchanges: [...exchanges.values()], head: shown ? runAt(shown) : null }
}

const idOf = (nodeId: string): string => nodeId.slice(0, 200)
const joined = (before: string, text: string): string => (before === '' ? text : `${before}\n\n${text}`)
const later = (one: string, other: string): string => (one > other ? one : other)

/** The ids of the turns up to one. */
function pathTo(byId: ReadonlyMap<string, Turn>, end: Turn | undefined): Set<string> {
  const path = new Set<string>()
  for (let at = end; at && !path.has(at.nodeId); at = byId.get(at.before ?? '')) path.add(at.nodeId)
  return path
}

/** The end of the answer that a turn is part of: its last way on. */
function endOf(turn: Turn | undefined, followers: (nodeId: string) => readonly Turn[]): Turn | undefined {
  let end = turn
  for (;;) {
    const next: Turn | undefined = end && followers(end.nodeId).findLast(({ isQuestion }) => !isQuestion)
    if (!next) return end
    end = next
  }
}
