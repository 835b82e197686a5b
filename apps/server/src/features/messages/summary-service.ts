import type { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { storedNano } from '@parley/contract/money'
import type { Db } from '../../db/client'
import { type AccessRequest, lockForWriting, requireAccess, requireOwner } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { fromStored, isStorable, toStored } from './public/stored-text'
import { insertSummary, type SummaryRow, summariesIn, updateSummary } from './summary-store'

type Deps = { db: Db; events: ChannelEvents; now: () => number }
type Change = { text?: string | undefined; isUndone?: boolean | undefined }

/** The summaries of cloud channels. Throws channel.not-found. */
export class SummaryService {
  constructor(private readonly deps: Deps) {}

  async list(request: AccessRequest): Promise<Summary[]> {
    const { db } = this.deps
    return (await summariesIn(db, await requireAccess(db, request))).map(summaryOfRow)
  }

  /**
   * Adds the summaries of another copy; those of messages that are not here are left out. A text that a person has
   * edited takes the place of one that nobody has. Throws channel.owner-only.
   */
  async add(request: AccessRequest, given: readonly Summary[]): Promise<void> {
    const { db, events, now } = this.deps
    await requireOwner(db, request)
    const access = await db.transaction(async (tx) => {
      const access = await lockForWriting(tx, request)
      const known = new Map((await summariesIn(tx, access)).map((summary) => [summary.id, summary]))
      for (const summary of given.filter(isSummaryStorable)) {
        const row = rowOf(summary, { access, actorId: request.actorId, at: new Date(now()) })
        const { id, text, isUndone } = row
        if (!known.has(id)) await insertSummary(tx, row)
        else if (row.isEdited && !known.get(id)?.isEdited)
          await updateSummary(tx, { ...access, id }, { text, isUndone, isEdited: true })
      }
      return access
    })
    await events.channelChanged(access, request.actorId, { kind: 'summaries' })
  }

  /** Edits a summary, undoes it, or takes it up again. Throws channel.read-only, not-found. */
  async change({ id, ...request }: AccessRequest & { id: string }, { text, isUndone }: Change): Promise<void> {
    const { db, events } = this.deps
    const change = {
      ...(text === undefined ? {} : { text: toStored(text), isEdited: true }),
      ...(isUndone === undefined ? {} : { isUndone }),
    }
    const access = await db.transaction(async (tx) => {
      const access = await lockForWriting(tx, request)
      const isChanged = Object.keys(change).length > 0 && (await updateSummary(tx, { ...access, id }, change))
      if (!isChanged) throw new AppError('not-found')
      return access
    })
    await events.channelChanged(access, request.actorId, { kind: 'summaries' })
  }
}

const summaryOfRow = ({ id, channelId, mId, upToRunId, text, messages, isEdited, isUndone, cost }: SummaryRow) => ({
  ...{ id, channelId, upToRunId, exchangeId: mId, text: fromStored(text), messages, editedByPerson: isEdited },
  ...(isUndone ? { isUndone: true as const } : {}),
  ...(cost === null ? {} : { cost: String(cost) }),
})

/** What cannot be the id of a record names none. */
const isSummaryStorable = ({ exchangeId, upToRunId }: Summary): boolean =>
  isStorable(exchangeId) && isStorable(upToRunId)

function rowOf(
  { id, exchangeId: mId, upToRunId, text, messages, editedByPerson, isUndone, cost }: Summary,
  { access, actorId, at }: { access: OwnedChannel; actorId: string; at: Date },
): SummaryRow {
  return {
    ...{ id, mId, upToRunId, messages, isEdited: editedByPerson, isUndone: isUndone === true, text: toStored(text) },
    ...{ channelId: access.channelId, ownerId: access.userId, authorUserId: actorId, createdAt: at },
    cost: cost === undefined ? null : storedNano(cost),
  }
}
