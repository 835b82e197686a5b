import { setTimeout as wait } from 'node:timers/promises'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Embedder } from '../../providers/embeddings/embedder'
import { hasPgvector, nearestByDatabase, nearestHere, type PassageKey } from './vector-store'

type Deps = { db: Db; embedder: Embedder; log: FastifyBaseLogger; now: () => number }

const limits = serverLimits.embeddings

/**
 * Finds passages that mean what a question means. Never rejects for the service's sake: then words alone are searched.
 */
export class VectorSearch {
  private restsUntil = 0
  private comparesInDatabase: boolean | undefined

  constructor(private readonly deps: Deps) {}

  /** Best first; none while the service is away, or where the sources have no vectors that it can be compared with. */
  async nearest(question: string, sources: { ownerId: string; sourceIds: string[] }): Promise<PassageKey[]> {
    const { db, embedder } = this.deps
    if (question.trim() === '') return []
    const vector = await this.vectorOf(question)
    if (!vector) return []
    this.comparesInDatabase ??= await hasPgvector(db)
    const find = this.comparesInDatabase ? nearestByDatabase : nearestHere
    return find(db, { ...sources, key: await embedder.key(), vector, limit: limits.nearest })
  }

  private async vectorOf(question: string): Promise<Float32Array | undefined> {
    const { embedder, log, now } = this.deps
    if (now() < this.restsUntil) return undefined
    const tooLate = new AbortController()
    try {
      // Also where the service is asked for its key first.
      const [vector] = await Promise.race([
        embedder.embed([question], tooLate.signal),
        wait(limits.questionMs, undefined, { signal: tooLate.signal, ref: false }).then(() => {
          throw new Error('the embedding service takes too long for a question')
        }),
      ])
      return vector
    } catch (error) {
      this.restsUntil = now() + limits.restMs
      log.warn({ err: error }, 'a question is searched by its words alone')
      return undefined
    } finally {
      tooLate.abort()
    }
  }
}
