import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'

type Partial = { text: string; seq: number }

/** Stores an answer while it is written, one save at a time: after so much text or so long, whichever comes first. A save that fails is made up for by the next. */
export class PartialSaver {
  private latest: Partial = { text: '', seq: 0 }
  private savedLength = 0
  private timer: NodeJS.Timeout | undefined
  private saving: Promise<void> | undefined
  private isClosed = false

  constructor(
    private readonly save: (partial: Partial) => Promise<void>,
    private readonly log: FastifyBaseLogger,
  ) {}

  /** `seq` is the last frame whose text is in `text`. */
  note(text: string, seq: number): void {
    this.latest = { text, seq }
    // A long answer is written whole each time: the longer it is, the more must be new.
    const enough = Math.max(limits.cloud.partialSaveLength, this.savedLength / 4)
    if (text.length - this.savedLength >= enough) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), limits.cloud.partialSaveMs)
  }

  /** No save begins after this. One that is under way is not waited for: it changes nothing once the end is stored. */
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
        this.savedLength = partial.text.length
      })
      .catch((error: unknown) => this.log.warn({ err: error }, 'a part of an answer is not stored yet'))
      .finally(() => {
        this.saving = undefined
        if (this.latest.seq > partial.seq && !this.isClosed) this.timer ??= setTimeout(() => this.flush(), limits.cloud.partialSaveMs)
      })
  }
}
