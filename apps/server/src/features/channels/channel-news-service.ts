import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus'
import { peopleIn } from './access-store'
import type { Own } from './channel-store'

const newsTopic = 'channels:news'

const told = { channelId: z.string(), userIds: z.array(z.string()) }
/** begun: an answer is being written, by this run. changed: there is something new in the channel. received: somebody received or read messages. left: these people are not in it any more. */
const News = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), ...told, messageId: z.string(), mId: z.string() }),
  z.object({ kind: z.literal('changed'), ...told }),
  z.object({ kind: z.literal('received'), ...told }),
  z.object({ kind: z.literal('left'), ...told }),
])
export type News = z.infer<typeof News>

/**
 * Tells the people of cloud channels, on every node, that something happened; what it was they ask for themselves, so that nobody is told what they may not read.
 * What happened has happened: news that cannot be told are logged, never thrown. Whoever misses them is refused, or reads it, the next time they ask.
 */
export class ChannelNews {
  constructor(private readonly deps: { db: Db; bus: Bus; log: FastifyBaseLogger }) {}

  /** To everybody in the channel, the one who asked too: they may look at it on another device. */
  async begun(which: Own & { messageId: string; mId: string }): Promise<void> {
    const { channelId, messageId, mId } = which
    await this.quietly(async () => this.publish({ kind: 'begun', channelId, messageId, mId, userIds: await this.peopleOf(which) }))
  }

  /** To everybody in the channel but the one who did it. */
  async changed(which: Own, actorId: string): Promise<void> {
    await this.quietly(async () => this.publish({ kind: 'changed', channelId: which.channelId, userIds: await this.others(which, actorId) }))
  }

  /** To everybody in the channel but the reader. */
  async received(which: Own, readerId: string): Promise<void> {
    await this.quietly(async () => this.publish({ kind: 'received', channelId: which.channelId, userIds: await this.others(which, readerId) }))
  }

  /** To the members of a channel that is about to be deleted; call what is answered once it is. */
  async leaving(which: Own): Promise<() => Promise<void>> {
    const people = await this.peopleOf(which)
    return () =>
      this.left(
        which.channelId,
        people.filter((id) => id !== which.userId),
      )
  }

  /** These people are not in the channel any more. */
  async left(channelId: string, userIds: string[]): Promise<void> {
    await this.quietly(() => this.publish({ kind: 'left', channelId, userIds }))
  }

  /** Answers the end of it. */
  follow(listener: (news: News) => void): Promise<() => Promise<void>> {
    return this.deps.bus.subscribe(newsTopic, (raw) => {
      // A node of a later version tells more kinds.
      const news = z.safeParse(News, JSON.parse(raw))
      if (news.success) listener(news.data)
    })
  }

  private async others(which: Own, actorId: string): Promise<string[]> {
    return (await this.peopleOf(which)).filter((id) => id !== actorId)
  }

  private peopleOf({ userId, channelId }: Own): Promise<string[]> {
    return peopleIn(this.deps.db, { userId, channelId })
  }

  private async publish(news: News): Promise<void> {
    if (news.userIds.length > 0) await this.deps.bus.publish(newsTopic, JSON.stringify(news))
  }

  private async quietly(tell: () => Promise<void>): Promise<void> {
    try {
      await tell()
    } catch (error) {
      this.deps.log.warn({ err: error }, 'news of a shared channel were not told')
    }
  }
}
