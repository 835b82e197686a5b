import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { pathTo, treeOf } from '@parley/contract/conversation-tree'
import type { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { type ExchangeWithRuns, messageOf, recordsOf } from '@parley/contract/message-adapter'
import { textOf } from '@parley/contract/parts'
import { compareRuns, headOf, isLine, oldestRunsFirst, tidied } from '@parley/contract/tree-copies'
import { vi } from 'vitest'
import { configured } from '../data/channels/device-channel'
import { cloudChannels } from '../data/channels/homes'

/** Messages as a line of exchanges. */
export function lineOf(messages: readonly Message[]): ExchangeWithRuns[] {
  const line = messages.map((message) => recordsOf(message, null))
  return [...tidied({ exchanges: line, head: null }).exchanges]
}

/** The channels of the cloud have no sources; whatever else is asked for is asked for as before. */
export function noSourcesInCloud(): void {
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input).includes('/api/embeddings/job/channel/') ? Promise.resolve(Response.json([])) : fetch(input, init),
  )
}

/** A cloud with one channel at most, which keeps trees as the server does. */
export function aTreeCloud(base: Channel) {
  const cloud = {
    channel: undefined as Channel | undefined,
    exchanges: [] as ExchangeWithRuns[],
    head: null as string | null,
    summaries: [] as Summary[],
    /** As its owner reads it. */
    messages: (): Message[] => {
      const tree = treeOf(
        cloud.exchanges.map(({ exchange }) => exchange),
        cloud.exchanges.flatMap(({ runs }) => runs),
      )
      return pathTo(tree, headOf(cloud)).flatMap(({ exchange, run }) => {
        const whole = cloud.exchanges.find((each) => each.exchange.id === exchange.id)
        return whole ? [messageOf(whole, run.id)] : []
      })
    },
  }
  const on = vi.spyOn
  noSourcesInCloud()
  on(cloudChannels, 'list').mockImplementation(async () => (cloud.channel ? [cloud.channel] : []))
  on(cloudChannels, 'get').mockImplementation(async () => cloud.channel)
  on(cloudChannels, 'treePage').mockImplementation(async () => ({ exchanges: [...cloud.exchanges], head: cloud.head }))
  on(cloudChannels, 'summaries').mockImplementation(async () => [...cloud.summaries])
  on(cloudChannels, 'addSummaries').mockImplementation(async (_id, some) => {
    for (const summary of some) if (cloud.summaries.every(({ id }) => id !== summary.id)) cloud.summaries.push(summary)
  })
  on(cloudChannels, 'create').mockImplementation(async (wanted) => {
    cloud.channel ??= { ...base, ...wanted, isLocalChannel: false, source: 'postgresql' }
    return cloud.channel
  })
  on(cloudChannels, 'configure').mockImplementation(async (_id, change) => {
    if (!cloud.channel) throw new AppError('channel.not-found')
    cloud.channel = configured(cloud.channel, change)
    return cloud.channel
  })
  on(cloudChannels, 'addTree').mockImplementation(async (_id, { exchanges, head }) => {
    if (exchanges.some(({ exchange }) => textOf(exchange.question) === 'refused')) throw new AppError('validation')
    const before = headOf(cloud)
    for (const { exchange, runs } of exchanges) {
      const at = cloud.exchanges.findIndex((each) => each.exchange.id === exchange.id)
      const known = cloud.exchanges[at]
      if (!known) {
        cloud.exchanges.push({ exchange, runs })
        continue
      }
      const all = new Map(known.runs.map((run) => [run.id, run]))
      for (const run of runs) {
        const stored = all.get(run.id)
        if (!stored || (compareRuns(run, stored) ?? 0) > 0) all.set(run.id, run)
      }
      cloud.exchanges[at] = { exchange: known.exchange, runs: oldestRunsFirst([...all.values()]) }
    }
    const last = headOf({ exchanges: cloud.exchanges, head: null })
    const wanted = head ?? cloud.head ?? (isLine(cloud.exchanges, last) ? last : before)
    cloud.head = wanted === null || (cloud.head === null && isLine(cloud.exchanges, wanted)) ? null : wanted
  })
  on(cloudChannels, 'remove').mockImplementation(async (_id, seen) => {
    const runs = cloud.exchanges.flatMap((each) => each.runs).length
    const isAsSeen =
      seen?.total === cloud.exchanges.length && seen.runs === runs && seen.updatedAt === cloud.channel?.updated_at
    if (seen && !isAsSeen) throw new AppError('channel.copy-differs')
    Object.assign(cloud, { channel: undefined, exchanges: [], head: null, summaries: [] })
  })
  return cloud
}
