import { ChannelChange } from '@parley/contract/channel-change'
import { changedSource, type SourceProgress } from '@parley/contract/source-progress'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../../../db/client'
import type { Bus } from '../../../providers/bus/bus'
import { peopleAt, peopleIn } from './channel-people-store'
import type { OwnedChannel } from './channel-row-store'

/** Nodes of several versions share the bus during a deployment, so the topic and the kinds keep their names. */
const topic = 'channels:news'

const recipients = { channelId: z.string(), userIds: z.array(z.string()) }
/**
 * begun: the run `messageId` has started to write an answer. changed: the channel or its messages changed. received:
 * somebody received or read messages. sources: its sources changed. left: `userIds` are no longer in the channel.
 */
const ChannelEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), ...recipients, messageId: z.string(), mId: z.string() }),
  z.object({ kind: z.literal('changed'), ...recipients, change: ChannelChange }),
  z.object({ kind: z.literal('received'), ...recipients }),
  z.object({ kind: z.literal('sources'), ...recipients, ...changedSource }),
  z.object({ kind: z.literal('left'), ...recipients }),
])
export type ChannelEvent = z.infer<typeof ChannelEvent>
/** The one source that has changed, and where only that has, how far it is read. */
export type ChangedSource = { sourceId?: string; progress?: SourceProgress }

/**
 * Publishes changes of cloud channels to the people in them, on every node. An event carries no content: clients
 * refetch, and the server checks their access again. Publishing never throws, because the change is already committed;
 * a failure is logged, and a client that missed the event is up to date after its next request.
 */
export class ChannelEvents {
  constructor(private readonly deps: { db: Db; bus: Bus; log: FastifyBaseLogger }) {}

  /**
   * To everybody in the channel, including the person who asked: they may have other devices open. Whoever reads
   * another branch learns only that the channel has changed.
   */
  async answerStarted(run: OwnedChannel & { messageId: string; mId: string }, actorId: string): Promise<void> {
    const { channelId, messageId, mId } = run
    await this.logFailure(async () => {
      const people = await this.peopleIn(run)
      const readers = new Set([...(await peopleAt(this.deps.db, run, messageId)), actorId])
      await this.publish({ kind: 'begun', channelId, messageId, mId, userIds: people.filter((id) => readers.has(id)) })
      const others = people.filter((id) => !readers.has(id))
      await this.publish({ kind: 'changed', channelId, userIds: others, change: { kind: 'exchanges', mIds: [mId] } })
    })
  }

  /** To everybody in the channel but the person who changed it. Without `change`, they read all of it again. */
  async channelChanged(channel: OwnedChannel, actorId: string, change?: ChannelChange): Promise<void> {
    const { channelId } = channel
    await this.logFailure(async () => {
      const userIds = await this.others(channel, actorId)
      await this.publish({ kind: 'changed', channelId, userIds, ...(change ? { change } : {}) })
    })
  }

  /** As `channelChanged`, where one exchange alone was asked, answered, pinned or removed. */
  exchangeChanged(channel: OwnedChannel & { mId: string }, actorId: string): Promise<void> {
    return this.channelChanged(channel, actorId, { kind: 'exchanges', mIds: [channel.mId] })
  }

  /** An answer was ended in the place of its writer. Without `channel` it was none of a cloud channel. */
  async answerEnded(answer: {
    channel: OwnedChannel | undefined
    mId: string | null
    userId: string | undefined
  }): Promise<void> {
    const { channel, mId, userId = '' } = answer
    if (channel && mId !== null) await this.exchangeChanged({ ...channel, mId }, userId)
  }

  /** To the person alone: their other devices read another branch now. */
  async headMoved(channelId: string, actorId: string): Promise<void> {
    await this.logFailure(() => this.publish({ kind: 'changed', channelId, userIds: [actorId] }))
  }

  /** To everybody in the channel but the reader. */
  async receiptsChanged(channel: OwnedChannel, readerId: string): Promise<void> {
    await this.logFailure(async () =>
      this.publish({ kind: 'received', channelId: channel.channelId, userIds: await this.others(channel, readerId) }),
    )
  }

  /** To everybody in the channel, on all their devices: a source was added, removed, switched, or is read further. */
  async sourcesChanged(channel: OwnedChannel, changed: ChangedSource = {}): Promise<void> {
    await this.logFailure(async () =>
      this.publish({
        ...{ kind: 'sources', channelId: channel.channelId, userIds: await this.peopleIn(channel) },
        ...changed,
      }),
    )
  }

  /** Reads the members of a channel before its deletion; the returned function publishes `left` to them afterwards. */
  async prepareDeletion(channel: OwnedChannel): Promise<() => Promise<void>> {
    const people = await this.peopleIn(channel)
    return () =>
      this.membersLeft(
        channel.channelId,
        people.filter((id) => id !== channel.userId),
      )
  }

  /** To the people who are no longer in the channel. */
  async membersLeft(channelId: string, userIds: string[]): Promise<void> {
    await this.logFailure(() => this.publish({ kind: 'left', channelId, userIds }))
  }

  /** Resolves to a function that ends the subscription. */
  subscribe(listener: (event: ChannelEvent) => void): Promise<() => Promise<void>> {
    return this.deps.bus.subscribe(topic, (raw) => {
      // A node of a later version may publish other kinds.
      const event = z.safeParse(ChannelEvent, JSON.parse(raw))
      if (event.success) listener(event.data)
    })
  }

  private async others(channel: OwnedChannel, actorId: string): Promise<string[]> {
    return (await this.peopleIn(channel)).filter((id) => id !== actorId)
  }

  private peopleIn({ userId, channelId }: OwnedChannel): Promise<string[]> {
    return peopleIn(this.deps.db, { userId, channelId })
  }

  private async publish(event: ChannelEvent): Promise<void> {
    if (event.userIds.length > 0) await this.deps.bus.publish(topic, JSON.stringify(event))
  }

  private async logFailure(publish: () => Promise<void>): Promise<void> {
    try {
      await publish()
    } catch (error) {
      this.deps.log.warn({ err: error }, 'an event of a shared channel was not published')
    }
  }
}
