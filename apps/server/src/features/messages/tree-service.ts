import type { Message } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { messageOf } from '@parley/contract/message-adapter'
import type { treeRoutes } from '@parley/contract/trees'
import type * as z from 'zod/mini'
import type { Db } from '../../db/client'
import {
  type AccessRequest,
  type ChannelAccess,
  lockForReading,
  lockForWriting,
  requireOwner,
} from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { pathToHead } from './path-store'
import { beginBranches, completeRuns, lastShownRun, setHead, setHeads } from './public/head-store'
import { importedRow, type NewMessageRow } from './public/message-row'
import { appendMessages } from './public/message-store'
import { authorsOf } from './public/messages-for-reader'
import { isStorable, toStored } from './public/stored-text'
import { answerPartsOf, questionPartsOf } from './run-row'
import { changesOf, type ItemChange, isUuid } from './tree-changes'
import { exchangesOfRuns, itemsAfter, itemsOf, markChanged, putRuns, updateItem, writeRuns } from './tree-store'

type Deps = { db: Db; events: ChannelEvents; now: () => number }
type Page = z.output<typeof treeRoutes.read.response>
type Changes = z.infer<typeof treeRoutes.write.body>

/** Whole channels for copies. Throws channel.not-found, channel.owner-only. */
export class TreeService {
  constructor(private readonly deps: Deps) {}

  async read(request: AccessRequest, after: string | undefined): Promise<Page> {
    const { db } = this.deps
    if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new AppError('validation')
    await requireOwner(db, request)
    return db.transaction(async (tx) => {
      const access = await lockForReading(tx, request)
      // What the backfill has not reached.
      if (after === undefined) await completeRuns(tx, access)
      const page = { after: Number(after ?? 0), limit: limits.cloud.maxImportBatch }
      const { items, hasMore } = await itemsAfter(tx, access, { ...page, maxBytes: serverLimits.cloud.treePageBytes })
      const authors = await authorsOf(
        tx,
        request.actorId,
        items.map(({ exchange, ...item }) => ({ ...item, mId: exchange.id })),
      )
      const exchanges = items.map(({ exchange, runs }) => {
        const author = exchange.removedAt === undefined ? authors.get(exchange.id) : undefined
        return { exchange: { ...exchange, ...(author ? { author } : {}) }, runs }
      })
      if (hasMore) return { exchanges, head: null, cursor: String(items.at(-1)?.position) }
      const { headRunId } = access
      return { exchanges, head: headRunId === null ? null : (await pathToHead(tx, access, headRunId)).headRunId }
    })
  }

  /**
   * Writes all or nothing. The channel's place in the list does not change. Throws validation where an exchange follows
   * a run that is not there, or a run is another exchange's.
   */
  async write(request: AccessRequest, { exchanges, head }: Changes): Promise<void> {
    const { db, events } = this.deps
    await requireOwner(db, request)
    const access = await db.transaction(async (tx) => {
      const access = await lockForWriting(tx, request)
      await completeRuns(tx, access)
      const before = (await lastShownRun(tx, access)) ?? null
      const runIds = exchanges.flatMap(({ exchange, runs }) => [
        ...(exchange.afterRunId === null ? [] : [exchange.afterRunId]),
        ...runs.map(({ id }) => id),
      ])
      const mIds = exchanges.map(({ exchange }) => exchange.id)
      const isLine = access.headRunId === null
      const { items, isBranched } = changesOf(
        {
          stored: await itemsOf(tx, access, mIds.filter(isStorable)),
          exchangeOfRun: await exchangesOfRuns(tx, access, runIds.filter(isStorable)),
          last: isLine ? before : undefined,
        },
        exchanges,
      )
      if (isLine && isBranched && before !== null) await beginBranches(tx, access)
      await this.store(tx, access, items)
      const last = (await lastShownRun(tx, access)) ?? null
      if (isLine && isBranched && before === null && last !== null) await setHeads(tx, access, last)
      if (head !== undefined) await moveHead(tx, access, { head, isLine: isLine && !isBranched, last })
      return access
    })
    await events.channelChanged(access, request.actorId)
  }

  private async store(
    tx: Db,
    access: ChannelAccess & { lastPosition: number },
    items: readonly ItemChange[],
  ): Promise<void> {
    const rows = new Map(items.map((item) => [item, this.rowOf(item, access)]))
    const added = items.filter(({ change }) => change === 'add')
    await appendMessages(
      tx,
      access,
      access.lastPosition,
      added.flatMap((item) => rows.get(item) ?? []),
    )
    const changed = [...rows].filter(([{ change }]) => change !== 'add')
    for (const [{ change }, { mId, authorUserId, authorName, ...row }] of changed) {
      const which = { ...access, mId }
      if (change === 'keep') await updateItem(tx, which, { isPinned: row.isPinned })
      else if (change === 'rewrite') await updateItem(tx, which, row)
      else await updateItem(tx, which, { ...row, authorUserId, authorName, removedAt: null })
    }
    const whole = items.filter(({ change }) => change !== 'keep')
    await writeRuns(
      tx,
      access,
      whole.flatMap(({ runs }) => runs),
    )
    await putRuns(
      tx,
      access,
      items.filter(({ change }) => change === 'keep').flatMap((item) => item.changed),
    )
    if (changed.length > 0) await markChanged(tx, access)
  }

  /** The row of an exchange, with the answer of the run that it shows. */
  private rowOf({ exchange, runs, shownId }: ItemChange, access: ChannelAccess): NewMessageRow {
    const shown = runs.find(({ id }) => id === shownId)
    if (!shown) throw new AppError('validation')
    const { author, afterRunId, isPinned = false } = exchange
    const message = messageOf({ exchange, runs: runs.map((run) => (run === shown ? onWire(run) : run)) }, shownId)
    const row = importedRow(withoutNameless(message), access.channelId, new Date(this.deps.now()))
    return {
      ...{ ...row, afterRunId, isPinned, questionParts: questionPartsOf(exchange), answerParts: answerPartsOf(shown) },
      ...(author
        ? { authorUserId: null, authorName: toStored(author.name) }
        : { authorUserId: access.actorId, authorName: null }),
    }
  }
}

/** The owner's head. In a channel without branches it is the newest run, or there are branches from now on. */
async function moveHead(
  tx: Db,
  access: ChannelAccess,
  { head, isLine, last }: { head: string; isLine: boolean; last: string | null },
): Promise<void> {
  const isThere = isStorable(head) && (await exchangesOfRuns(tx, access, [head])).has(head)
  if (!isThere) throw new AppError('validation')
  if (isLine && head === last) return
  if (isLine) await beginBranches(tx, access)
  await setHead(tx, access, head)
}

/** Only of a run that was on the wire does a message tell what it goes on with. */
const onWire = (run: Run): Run =>
  run.seq === undefined && (run.continues !== undefined || run.id !== run.exchangeId) ? { ...run, seq: 0 } : run

/** A run whose id is no UUID is shown under the id of its exchange. */
function withoutNameless({ run, ...message }: Message): Message {
  return run && isUuid(run.messageId) ? { ...message, run } : message
}
