import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import type { SourceJob } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { type AccessRequest, requireOwner } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import type { AccountFiles } from './account-files'
import { admitSource } from './admission'
import { contentOfLink, type Link, linkOf } from './link'
import { jobOf } from './source-json'

type Deps = {
  db: Db
  files: AccountFiles
  scheduler: Scheduler
  events: ChannelEvents
  createChannel: (userId: string) => Promise<Channel>
  getChannel: (request: AccessRequest) => Promise<Channel>
  now: () => number
}

/** Adds websites and videos to cloud channels; they are fetched by the jobs that read them. */
export class LinkService {
  constructor(private readonly deps: Deps) {}

  /** Throws source.url-invalid, source.too-many. */
  async add(request: AccessRequest, url: string, type?: Link['type']): Promise<SourceJob> {
    const [job] = await this.addAll(request, [linkOf(url, type)])
    if (!job) throw new AppError('server-error')
    return job
  }

  /** To a new channel where none is named. All or none. Throws as `add`. */
  async addTo(
    { actorId, channelId }: { actorId: string; channelId: string | undefined },
    urls: readonly string[],
    type?: Link['type'],
  ): Promise<{ channel: Channel; jobs: SourceJob[] }> {
    const links = urls.map((url) => linkOf(url, type))
    const id = channelId ?? (await this.deps.createChannel(actorId)).id
    const request = { actorId, channelId: id }
    const jobs = await this.addAll(request, links)
    return { channel: await this.deps.getChannel(request), jobs }
  }

  private async addAll(request: AccessRequest, links: readonly Link[]): Promise<SourceJob[]> {
    const { db, files, scheduler, events, now } = this.deps
    const channel: OwnedChannel = await requireOwner(db, request)
    await files.prepare(channel.userId)
    const at = new Date(now())
    const rows = await db.transaction(async (tx) => {
      const admitted = []
      for (const { url, type } of links) {
        const sha256 = contentOfLink(url)
        const source = { id: uuidv7(), type, name: url, url, mediaType: 'text/html', bytes: 0, sha256 }
        admitted.push(await admitSource(tx, { channel, source, scheduler, at }))
      }
      return admitted
    })
    scheduler.wake()
    await events.sourcesChanged(channel)
    return rows.map(jobOf)
  }
}
