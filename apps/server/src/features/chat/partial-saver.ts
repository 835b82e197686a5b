import type { AnswerParts } from '@parley/contract/answer-parts'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'

/** `seq` is the last frame of which something is in it. */
type PartialAnswer = AnswerParts & { text: string; seq: number }

/**
 * Stores an answer while it is written, one save at a time: after enough new text or after a while, whichever comes
 * first. The next save makes up for a failed one.
 */
export class PartialSaver {
  private latest: PartialAnswer = { text: '', seq: 0 }
  private savedLength = 0
  private timer: NodeJS.Timeout | undefined
  private saving: Promise<void> | undefined
  private isClosed = false

  constructor(
    private readonly save: (partial: PartialAnswer) => Promise<void>,
    private readonly log: FastifyBaseLogger,
  ) {}

  update(partial: PartialAnswer): void {
    this.latest = partial
    // Each save writes the whole answer, so a longer one needs more new text.
    const enough = Math.max(serverLimits.cloud.partialSaveLength, this.savedLength / 4)
    if (lengthOf(partial) - this.savedLength >= enough) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), serverLimits.cloud.partialSaveMs)
  }

  /** Starts no further save. A running one is not awaited, because it has no effect once the end is stored. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.saving || this.isClosed) return
    const partial = this.latest
    this.saving = this.save(partial)
      .then(() => {
        this.savedLength = lengthOf(partial)
      })
      .catch((error: unknown) => this.log.warn({ err: error }, 'a part of an answer is not stored yet'))
      .finally(() => {
        this.saving = undefined
        if (this.latest.seq > partial.seq && !this.isClosed)
          this.timer ??= setTimeout(() => this.flush(), serverLimits.cloud.partialSaveMs)
      })
  }
}

const lengthOf = ({ text, reasoning }: PartialAnswer): number => text.length + (reasoning?.text.length ?? 0)
