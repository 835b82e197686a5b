import type { AgentFile } from '@parley/contract/agent-files'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { fromStored, isStorable, toStored } from '../messages/public/stored-text'
import type { AccountFiles } from './account-files'
import { requireQuota } from './admission'
import { countDraftFiles, deleteDraftFiles, findAgentFile, listAgentFiles } from './agent-file-store'
import { HashedBytes } from './counted-bytes'
import { lockFilesOf } from './file-key-store'
import { fileNameOf } from './file-name'
import type { FileRemoval } from './file-removal'
import { readKind } from './reading-kind'
import { deleteSource, insertSource, queueAgain, type ReadingRow } from './source-store'

type Deps = { db: Db; files: AccountFiles; removal: FileRemoval; scheduler: Scheduler; now: () => number }

type FileRequest = { ownerId: string; sourceId: string }

const hourMs = 3_600_000

/**
 * Files of agents' knowledge, for their owner. They belong to an agent once it is saved with them (agent-knowledge.ts).
 * Methods that name a file throw source.not-found for whoever is not its owner.
 */
export class AgentFileService {
  constructor(private readonly deps: Deps) {}

  schedule(): void {
    const { db, scheduler, removal, now } = this.deps
    scheduler.every('sources.forget-draft-files', {
      everyMs: hourMs,
      run: async () => {
        await deleteDraftFiles(db, new Date(now() - serverLimits.agents.draftFileHours * hourMs))
        await removal.removeSoon()
      },
    })
  }

  /** Throws source.type, source.empty, source.too-large, source.quota, source.store, agent.too-many-files. */
  async store(ownerId: string, given: string, content: AsyncIterable<Buffer>): Promise<AgentFile> {
    const { db, files, scheduler, now } = this.deps
    const { name, mediaType } = fileNameOf(given)
    await this.requireRoom(db, ownerId, 0)
    const place = { ownerId, folder: uuidv7(), name: 'file' }
    const counted = new HashedBytes(limits.sources.maxFileBytes, 'source.too-large')
    const at = new Date(now())
    try {
      await files.write(place, counted.of(content))
      const { bytes, sha256 } = counted
      if (bytes === 0) throw new AppError('source.empty')
      const file = { id: place.folder, ownerId, name: toStored(name), mediaType, bytes, sha256 }
      await db.transaction(async (tx) => {
        await lockFilesOf(tx, ownerId)
        await this.requireRoom(tx, ownerId, bytes)
        await insertSource(tx, { ...file, type: 'document', status: 'queued', createdAt: at, updatedAt: at })
        await scheduler.enqueue({ kind: readKind, key: file.id, payload: { ownerId } }, tx)
      })
    } catch (error) {
      // Where the database does not tell, the row may be there: its file stays, or is swept.
      if (error instanceof AppError) await files.remove(place).catch(() => undefined)
      throw error
    }
    scheduler.wake()
    return this.get({ ownerId, sourceId: place.folder })
  }

  async ofAgent(ownerId: string, agentId: string): Promise<AgentFile[]> {
    return isStorable(agentId) ? (await listAgentFiles(this.deps.db, { ownerId, agentId })).map(agentFileOf) : []
  }

  async get(request: FileRequest): Promise<AgentFile> {
    return agentFileOf(await this.require(request))
  }

  /** One that is read already stays as it is. Throws source.busy. */
  async retry(request: FileRequest): Promise<AgentFile> {
    const { db, scheduler, now } = this.deps
    const { ownerId, status } = await this.require(request)
    if (status === 'queued' || status === 'processing') throw new AppError('source.busy')
    await db.transaction(async (tx) => {
      const row = await queueAgain(tx, request, new Date(now()))
      if (row) await scheduler.enqueue({ kind: readKind, key: row.id, payload: { ownerId } }, tx)
    })
    scheduler.wake()
    return this.get(request)
  }

  async remove(request: FileRequest): Promise<void> {
    const { db, scheduler, removal } = this.deps
    await this.require(request)
    await db.transaction(async (tx) => {
      await deleteSource(tx, request)
      await scheduler.cancel({ kind: readKind, key: request.sourceId }, tx)
    })
    await removal.removeSoon()
  }

  private async requireRoom(db: Db, ownerId: string, bytes: number): Promise<void> {
    if ((await countDraftFiles(db, ownerId)) >= serverLimits.agents.maxDraftFiles)
      throw new AppError('agent.too-many-files')
    await requireQuota(db, ownerId, bytes)
  }

  private async require(request: FileRequest): Promise<ReadingRow> {
    const row = isFileId(request.sourceId) ? await findAgentFile(this.deps.db, request) : undefined
    if (!row) throw new AppError('source.not-found')
    return row
  }
}

export const isFileId = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

function agentFileOf(row: ReadingRow): AgentFile {
  const { id, agentId, name, mediaType, bytes, sha256, status, progress, reason, pages, characters, passages } = row
  return {
    ...{ id, name: fromStored(name), mediaType, bytes, sha256, status, notices: row.notices },
    ...(agentId === null ? {} : { assistantId: agentId }),
    ...(progress === null ? {} : { progress }),
    ...(reason === null ? {} : { reason }),
    ...(pages === null ? {} : { pages }),
    ...(characters === null ? {} : { characters }),
    ...(passages === null ? {} : { passages }),
    addedAt: row.createdAt.toISOString(),
  }
}
