import type { Channel } from '@parley/contract/channels'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import type { PublicWeb } from '../../providers/egress'
import type { Embedder } from '../../providers/embeddings/embedder'
import type { FileStore } from '../../providers/files/file-store'
import type { AccessRequest } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { AccountFiles } from './account-files'
import { registerAgentFileRoutes } from './agent-file-routes'
import { AgentFileService } from './agent-file-service'
import { FileRemoval } from './file-removal'
import { LinkService } from './link-service'
import type { ReaderOptions } from './reader-process'
import { ReadingJobs } from './reading-jobs'
import { registerLinkRoutes, registerPageRoutes, registerSourceRoutes } from './source-routes'
import { SourceService } from './source-service'
import { registerUploadRoutes } from './upload-routes'
import { UploadService } from './upload-service'
import { VectorJobs } from './vector-jobs'
import { registerVectorRoutes } from './vector-routes'
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
  /** Makes vectors of passages; undefined: words alone are searched. */
  embedder?: Embedder | undefined
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
  const vectors = deps.embedder && new VectorJobs({ ...deps, embedder: deps.embedder })
  vectors?.schedule()
  new ReadingJobs({ ...shared, web, vectors }).schedule()
  registerPageRoutes(app, web)
  registerVectorRoutes(app, deps)
  registerSourceRoutes(app, new SourceService(shared))
  registerLinkRoutes(app, new LinkService(shared))
  await registerUploadRoutes(app, new UploadService(shared))
  const agentFiles = new AgentFileService(shared)
  agentFiles.schedule()
  await registerAgentFileRoutes(app, agentFiles)
  return { removeFiles: () => removal.removeSoon() }
}
