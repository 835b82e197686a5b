import type { Channel } from '@parley/contract/channels'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import type { PublicWeb } from '../../providers/egress'
import type { FileStore } from '../../providers/files/file-store'
import type { AccessRequest } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { AccountFiles } from './account-files'
import { FileRemoval } from './file-removal'
import { LinkService } from './link-service'
import type { ReaderOptions } from './reader-process'
import { ReadingJobs } from './reading-jobs'
import { registerLinkRoutes, registerPageRoutes, registerSourceRoutes } from './source-routes'
import { SourceService } from './source-service'
import { registerUploadRoutes } from './upload-routes'
import { UploadService } from './upload-service'
import { WebReader } from './web-reader'

type Deps = {
  db: Db
  store: FileStore
  files: AccountFiles
  scheduler: Scheduler
  publicWeb: PublicWeb
  events: ChannelEvents
  createChannel: (userId: string) => Promise<Channel>
  getChannel: (request: AccessRequest) => Promise<Channel>
  reader?: Partial<ReaderOptions> | undefined
  log: FastifyBaseLogger
  now: () => number
}

export type Sources = {
  /** For files whose rows are deleted. Never rejects. */
  removeFiles(): Promise<void>
}

export async function registerSources(app: FastifyInstance, deps: Deps): Promise<Sources> {
  const removal = new FileRemoval(deps)
  const shared = { ...deps, removal }
  removal.schedule(deps.scheduler)
  const web = new WebReader(deps)
  new ReadingJobs({ ...shared, web }).schedule()
  registerPageRoutes(app, web)
  registerSourceRoutes(app, new SourceService(shared))
  registerLinkRoutes(app, new LinkService(shared))
  await registerUploadRoutes(app, new UploadService(shared))
  return { removeFiles: () => removal.removeSoon() }
}
