import { type Channel, freeName } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { type AccessRequest, type ChannelAccess, requireAccess } from '../channels/public/channel-access'
import { lockChannel } from '../channels/public/channel-row-store'
import type { PreparedSource, SourceCopies } from '../sources/public/source-copies'
import { findMessage } from './message-lookup-store'
import { type PathStep, pathTo, treeIn } from './path-store'
import { importedRow, type MessageRow, shownRunOf } from './public/message-row'
import { appendMessages, messagesOf, newestMessages } from './public/message-store'
import { authorsOf } from './public/messages-for-reader'
import { readPath, shownMessages } from './public/shown-messages'
import { isStorable, toStored } from './public/stored-text'
import { newestThrough, runsOfAnswer } from './tree-choice'

/** Makes channels, within a transaction. */
type Channels = {
  get(request: AccessRequest): Promise<Channel>
  namesFor(userId: string, assistantId: string | null): Promise<string[]>
  create(
    userId: string,
    channel: Pick<Channel, 'channelName' | 'assistantId' | 'settings'> & { id: string },
  ): Promise<Channel>
}
type Deps = { db: Db; channelsIn: (tx: Db) => Channels; sources: SourceCopies; now: () => number }
type CopyRequest = AccessRequest & { mId: string; runId?: string | undefined; newId?: string | undefined }
/** `path`: in a channel with branches, or where another answer than the one that is shown ends the copy. */
type Way = { rows: MessageRow[]; path: readonly PathStep[] }

/** Makes what somebody reads of a channel a channel of their own. */
export class BranchCopyService {
  constructor(private readonly deps: Deps) {}

  /**
   * Copies the path up to a version of a question and its answer, and the active sources. All is copied, or nothing.
   * `newId`: a repeated call returns the channel of the first one. Throws channel.not-found, not-found,
   * channel.answering while the version is written, source.quota, source.store.
   */
  async copy({ mId, runId, newId = uuidv7(), ...request }: CopyRequest): Promise<Channel> {
    const { db, sources } = this.deps
    const access = await requireAccess(db, request)
    const way = await wayTo(db, access, { mId, runId })
    const messages = await messagesOn(db, access, way)
    const last = messages.at(-1)
    if (!last || !isOver(last)) throw new AppError('channel.answering')
    const prepared = await sources.prepare(access, request.actorId)
    let admitted: PreparedSource[] = []
    try {
      const made = await db.transaction((tx) => this.write(tx, { ...request, newId }, { messages, way, prepared }))
      admitted = made.admitted
      return made.channel
    } catch (error) {
      // Without the database's answer they may be sources.
      if (!(error instanceof AppError)) admitted = prepared
      throw error
    } finally {
      await sources.discard(
        request.actorId,
        prepared.filter((each) => !admitted.includes(each)),
      )
    }
  }

  private async write(
    tx: Db,
    { newId, ...request }: AccessRequest & { newId: string },
    { messages, way, prepared }: { messages: readonly Message[]; way: Way; prepared: PreparedSource[] },
  ): Promise<{ channel: Channel; admitted: PreparedSource[] }> {
    const { channelsIn, sources } = this.deps
    const channels = channelsIn(tx)
    const { channelName, assistantId, settings } = await channels.get(request)
    const names = await channels.namesFor(request.actorId, assistantId)
    const channel = await channels.create(request.actorId, {
      ...{ id: newId, channelName: freeName(channelName, names), assistantId },
      ...(settings ? { settings } : {}),
    })
    const which = { userId: request.actorId, channelId: channel.id }
    // It was made before where something is in it.
    if ((await lockChannel(tx, which))?.lastPosition !== 0) return { channel, admitted: [] }
    const admitted = await sources.admit(tx, which, prepared)
    const ids = new Map(admitted.map(({ from, id }) => [from.id, id]))
    const rows = messages.map((message, index) =>
      rowOf(withSourceIds(message, ids), { ...which, isPinned: way.rows[index]?.isPinned ?? false }, this.deps.now()),
    )
    await appendMessages(tx, which, 0, rows)
    return { channel, admitted }
  }
}

/** What a message cites of copied sources names the copies. */
function withSourceIds<T extends Pick<Message, 'files' | 'read' | 'sources'>>(
  message: T,
  ids: ReadonlyMap<string, string>,
): T {
  const renamed = <P extends { fileId?: string | undefined }>(parts: P[]): P[] =>
    parts.map((part) => ({
      ...part,
      ...(part.fileId === undefined ? {} : { fileId: ids.get(part.fileId) ?? part.fileId }),
    }))
  const { files, read, sources } = message
  return {
    ...message,
    ...(files ? { files: renamed(files) } : {}),
    ...(read ? { read: renamed(read) } : {}),
    ...(sources ? { sources: renamed(sources) } : {}),
  }
}

/** The exchanges up to a version, oldest first. Throws not-found. */
async function wayTo(
  db: Db,
  access: ChannelAccess,
  { mId, runId }: { mId: string; runId: string | undefined },
): Promise<Way> {
  const row = isStorable(mId) ? await findMessage(db, { ...access, mId }) : undefined
  if (!row || !isStorable(runId ?? '')) throw new AppError('not-found')
  const { position } = row
  const read = await readPath(db, access)
  if (read) {
    const path = await pathTo(db, access, await runToCopy(db, access, { mId, runId, read }))
    return {
      path,
      rows: await messagesOf(
        db,
        access,
        path.map((step) => step.mId),
      ),
    }
  }
  const rows = (await newestMessages(db, access, { limit: position, before: position + 1 })).reverse()
  if (runId === undefined || runId === shownRunOf(row)) return { rows, path: [] }
  if (runsOfAnswer(await treeIn(db, access), mId, runId).length === 0) throw new AppError('not-found')
  return { rows, path: [{ mId, runId, position }] }
}

/** The last run of a copy, in a channel with branches. Throws not-found. */
async function runToCopy(
  db: Db,
  access: ChannelAccess,
  { mId, runId, read }: { mId: string; runId: string | undefined; read: readonly PathStep[] },
): Promise<string> {
  const shownId = read.find((step) => step.mId === mId)?.runId
  const tree = await treeIn(db, access)
  if (runId !== undefined) {
    const version = runsOfAnswer(tree, mId, runId).at(-1)
    if (!version) throw new AppError('not-found')
    return version.id
  }
  if (shownId !== undefined) return shownId
  // On another branch than the one that is read: the newest path through it, cut after it.
  const leaf = newestThrough(tree, mId)
  const step = leaf === undefined ? undefined : (await pathTo(db, access, leaf)).find((each) => each.mId === mId)
  if (!step) throw new AppError('not-found')
  return step.runId
}

/** As the reader reads them: other people's with the author's name. */
async function messagesOn(db: Db, access: ChannelAccess, { rows, path }: Way): Promise<Message[]> {
  const messages = await shownMessages(db, access, rows, path)
  const authors = await authorsOf(db, access.actorId, rows)
  return messages.map((message) => {
    const author = authors.get(message.mId)
    return author ? { ...message, author } : message
  })
}

/** Under an id of its own; the runs that wrote it stay where they are, and so does what they cost. */
function rowOf(
  { run: _run, usage: _usage, author, ...message }: Message,
  { userId, channelId, isPinned }: { userId: string; channelId: string; isPinned: boolean },
  now: number,
) {
  return {
    ...importedRow({ ...message, mId: uuidv7() }, channelId, new Date(now)),
    ...(author
      ? { authorUserId: null, authorName: toStored(author.name) }
      : { authorUserId: userId, authorName: null }),
    isPinned,
  }
}
