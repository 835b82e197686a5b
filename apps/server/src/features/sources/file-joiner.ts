import { MessageChannel, Worker } from 'node:worker_threads'
import { AppError } from '@parley/contract/errors'
import type { FastifyBaseLogger } from 'fastify'
import type { FileStoreConfig } from '../../providers/files/create-file-store'
import type { JoinAnswer, JoinedFile, JoinFailure, JoinOrder, JoinRequest } from './join-worker'

/** `program`: a JavaScript file, instead of the one beside this file. */
export type JoinerOptions = { idleMs: number; program?: string }

type Deps = { store: FileStoreConfig; log: FastifyBaseLogger }

/**
 * Makes one file of several in a thread, which starts with the first order and ends when it has been idle for a while:
 * its memory goes with it.
 */
export class FileJoiner {
  private readonly options: JoinerOptions
  private thread: Worker | undefined
  private running = 0
  private idleTimer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(
    private readonly deps: Deps,
    options: Partial<JoinerOptions> = {},
  ) {
    this.options = { idleMs: 10_000, ...options }
  }

  /**
   * Throws source.too-large, source.upload-damaged where a part is lost or was changed, and an Error where the store
   * failed or the thread ended: then something unfinished may be in the folder of the file.
   */
  async join(order: JoinOrder): Promise<JoinedFile> {
    if (this.isClosed) throw new Error('the server is ending')
    clearTimeout(this.idleTimer)
    this.thread ??= this.start()
    this.running++
    try {
      return await answerOf(this.thread, order)
    } finally {
      this.running--
      if (this.running === 0) this.idleTimer = setTimeout(() => void this.end(), this.options.idleMs).unref()
    }
  }

  /** What is being joined fails. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idleTimer)
    await this.end()
  }

  private start(): Worker {
    const thread = newWorker(this.deps.store, this.options.program)
    thread.once('error', (error) => this.deps.log.error({ err: error }, 'the thread that joins files failed'))
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = undefined
    })
    // Each order listens for its end.
    thread.setMaxListeners(0)
    // While it joins a file, the port of the answer keeps the process.
    thread.unref()
    return thread
  }

  private async end(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    await thread?.terminate()
  }
}

async function answerOf(thread: Worker, order: JoinOrder): Promise<JoinedFile> {
  const { port1: answers, port2: port } = new MessageChannel()
  let fail = (): void => undefined
  try {
    return await new Promise<JoinedFile>((resolve, reject) => {
      answers.once('message', (answer: JoinAnswer) =>
        'joined' in answer ? resolve(answer.joined) : reject(errorOf(answer.failure)),
      )
      // Not before: until then a call of its file system may be under way.
      fail = () => reject(new Error('the thread that joins files ended'))
      thread.once('exit', fail)
      const request: JoinRequest = { order, port }
      thread.postMessage(request, [port])
    })
  } finally {
    thread.off('exit', fail)
    answers.close()
  }
}

function errorOf({ code, reason }: JoinFailure): Error {
  const cause = new Error(reason)
  return code === undefined ? cause : new AppError(code, { cause })
}

/** V8 sees no need to free pieces of files, which are not in its heap: with a small one it looks more often. */
const resourceLimits = { maxYoungGenerationSizeMb: 2 }

function newWorker(store: FileStoreConfig, program?: string): Worker {
  const options = { workerData: store, resourceLimits }
  const isSource = program === undefined && import.meta.url.endsWith('.ts')
  if (!isSource) return new Worker(program ?? new URL('./join-worker.js', import.meta.url), options)
  // From the source (tests, npm run dev) a thread needs tsx of its own: Node 20 reads no TypeScript.
  const file = new URL('./join-worker.ts', import.meta.url).href
  return new Worker(
    `import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(import.meta.url)}))`,
    { eval: true, ...options },
  )
}
