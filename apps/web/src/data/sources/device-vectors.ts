import { AppError } from '@parley/contract/errors'
import { vectorLimits } from '@parley/contract/limits/sources'
import { webLimits } from '@parley/contract/limits/web'
import { onChange } from '../local/changes'
import type { Device } from '../local/device'
import type { StoredSource, StoredVectors } from '../local/source-records'
import { storageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { keyOf, load } from './device-choice'
import { activeSources } from './device-sources'
import { passed } from './fetch-page'
import type { Meaning } from './meaning'
import { ReaderWorkerPort } from './reader-worker-port'
import { addVectors } from './store-vectors'
import { packVectors } from './vector-codec'

type Options = {
  open: () => Promise<Device>
  meaning: Meaning
  startReader?: (() => Worker) | undefined
  pauseMs?: number | undefined
}

/** The vector of a question, and what it can be compared with. */
export type QuestionVector = { key: string; vector: Float32Array }

type Run = { controller: AbortController; isAskedAgain?: boolean }

/**
 * Vectors of the passages of a vault, made by the server where the person has switched it on, and kept beside them.
 * What the end of a tab interrupts goes on in the next one that looks at the channel; a tab lock keeps two from doing
 * the same. It ends with the switch, and with the vault's closing.
 */
export class DeviceVectors {
  private readonly open: () => Promise<Device>
  private readonly meaning: Meaning
  private readonly startReader: (() => Worker) | undefined
  private readonly pauseMs: number
  private readonly runs = new Map<string, Run>()
  private stopListening: (() => void) | undefined
  /** Of the vectors that the server makes now, as far as it is known: it may have changed its model meanwhile. */
  private key: string | undefined
  private restsUntil = 0

  constructor({ open, meaning, startReader, pauseMs = webLimits.sources.vectorsPauseMs }: Options) {
    this.open = open
    this.meaning = meaning
    this.startReader = startReader
    this.pauseMs = pauseMs
  }

  /** Makes those that are missing of the active sources of a channel, unless this tab does so already. */
  start(channelId: string): void {
    const known = this.runs.get(channelId)
    if (known) {
      known.isAskedAgain = known.controller.signal.aborted
      return
    }
    const run: Run = { controller: new AbortController() }
    this.runs.set(channelId, run)
    this.stopListening ??= onChange(({ kind }) => {
      if (kind !== 'meaning' && kind !== 'vault-locked' && kind !== 'leaving') return
      for (const { controller } of this.runs.values()) controller.abort()
    })
    void this.run(channelId, run.controller.signal)
      .catch(() => undefined)
      .finally(() => {
        this.runs.delete(channelId)
        if (run.isAskedAgain) this.start(channelId)
        if (this.runs.size > 0) return
        this.stopListening?.()
        this.stopListening = undefined
      })
  }

  /** Never rejects: undefined where words alone are to be searched, also because the server takes too long. */
  async ofQuestion(question: string): Promise<QuestionVector | undefined> {
    if (question.trim() === '' || performance.now() < this.restsUntil) return undefined
    const tooLate = new AbortController()
    try {
      const made = await Promise.race([
        this.vectorOf(question, tooLate.signal),
        passed(webLimits.sources.questionVectorMs, tooLate.signal).then(() => {
          throw new AppError('source.vectors-away')
        }),
      ])
      return made
    } catch {
      this.restsUntil = performance.now() + webLimits.sources.vectorsRestMs
      return undefined
    } finally {
      tooLate.abort()
    }
  }

  private async vectorOf(question: string, signal: AbortSignal): Promise<QuestionVector | undefined> {
    const { userId } = await this.open()
    if ((await this.meaning.model(userId)) === undefined || signal.aborted) return undefined
    const text = question.slice(0, vectorLimits.maxTextLength)
    const { key, vectors } = await this.meaning.makeVectors([text], signal)
    this.key = key
    return vectors[0] && { key, vector: vectors[0] }
  }

  private async run(channelId: string, signal: AbortSignal): Promise<void> {
    if (!(await this.isWanted())) return
    const reader = new ReaderWorkerPort({ start: this.startReader, isKept: true })
    const stop = (): void => reader.drop()
    signal.addEventListener('abort', stop)
    try {
      await withTabLock(`source-vectors-${channelId}`, async () => {
        const skipped = new Set<string>()
        for (let failures = 0; !signal.aborted; ) {
          try {
            if (!(await this.makeSome(channelId, { reader, skipped, signal }))) return
            failures = 0
          } catch (error) {
            if (!mayPass(storageError(error))) throw error
            failures++
          }
          const { maxVectorsRetryMs } = webLimits.sources
          await passed(Math.min(maxVectorsRetryMs, this.pauseMs * 2 ** Math.min(failures, 20)), signal)
        }
      })
    } finally {
      signal.removeEventListener('abort', stop)
      reader.drop()
    }
  }

  private async isWanted(): Promise<boolean> {
    const { userId } = await this.open()
    return (await this.meaning.model(userId)) !== undefined
  }

  /** The vectors of some passages more. Answers false where none are missing. `skipped`: what cannot be read here. */
  private async makeSome(
    channelId: string,
    { reader, skipped, signal }: { reader: ReaderWorkerPort; skipped: Set<string>; signal: AbortSignal },
  ): Promise<boolean> {
    const device = await this.open()
    const active = await activeSources(device, channelId)
    const model = await this.meaning.model(device.userId)
    if (model === undefined || signal.aborted) return false
    const stored = active.find((each) => each.passages && !skipped.has(keyOf(each)) && !this.isDone(each, model))
    if (!stored?.passages) return false
    const begun = this.isOfNow(stored, model) ? stored.vectors : undefined
    const request = { kind: 'texts' as const, key: keyOf(stored), from: begun?.count ?? 0 }
    let next = await reader.call(request, { signal })
    if (!next && (await load(device, reader, stored, signal))) next = await reader.call(request, { signal })
    if (!next || next.texts.length === 0) {
      skipped.add(keyOf(stored))
      return true
    }
    const { key, vectors } = await this.meaning.makeVectors(next.texts, signal)
    this.key = key
    // Those that there are cannot be compared with these: all are made anew.
    if (begun && begun.key !== key) return true
    const dimensions = vectors.find((vector) => vector)?.length ?? begun?.dimensions ?? 0
    // All that came before were refused: a text like that is not worth more.
    if (begun && begun.dimensions !== dimensions) {
      skipped.add(keyOf(stored))
      return true
    }
    await addVectors(this.open, stored, {
      ...{ key, dimensions, goesOn: begun !== undefined, count: vectors.length },
      ...{ packed: packVectors(vectors, dimensions), isWhole: request.from + vectors.length >= next.of },
    })
    return true
  }

  private isDone(stored: StoredSource, model: string): boolean {
    return stored.vectors?.isWhole === true && this.isOfNow(stored, model)
  }

  private isOfNow({ vectors, passages }: StoredSource, model: string): boolean {
    return vectors !== undefined && vectors.of === passages?.part && this.isOfModel(vectors, model)
  }

  private isOfModel({ key }: StoredVectors, model: string): boolean {
    return this.key === undefined ? key.slice(0, key.lastIndexOf('#')) === model : key === this.key
  }
}

/** The server is away, or has too much to do. */
const mayPass = ({ code, status }: AppError): boolean =>
  !/^(?:storage|vault)\./.test(code) && (status === 0 || status === 429 || status >= 500)
