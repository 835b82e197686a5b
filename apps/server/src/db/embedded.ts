import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { takeLock } from './lock-file'
import type { WorkerOptions, WorkerReport } from './pglite-worker'

export type Embedded = { connection: ClientConfig; maxConnections: number; close(): Promise<void> }

type Options = { dataDir: string; onCrash: (error: Error) => void }

/**
 * PostgreSQL in a worker thread, so that a query never stops the event loop, spoken to over a socket by the same driver
 * as a real server.
 */
export async function startEmbedded({ dataDir, onCrash }: Options): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = takeLock(join(dataDir, 'db.lock'))
  // In the temporary folder: a socket's path must be short, and a mounted folder may not hold sockets. Windows has none
  // that the driver knows.
  const socketDir = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'parley-'))
  const cleanUp = (): void => {
    if (socketDir) rmSync(socketDir, { recursive: true, force: true })
    release()
  }
  process.once('exit', cleanUp)

  const folder = join(dataDir, 'db')
  const socket = socketDir ? join(socketDir, '.s.PGSQL.5432') : undefined
  let worker: Worker | undefined
  let isClosing = false
  try {
    if (!existsSync(folder)) await createFolder(folder)
    const started = await startWorker({ folder, socket })
    worker = started.worker
    worker.on('error', onCrash)
    worker.on('exit', (code) => {
      if (!isClosing) onCrash(new Error(`the embedded database ended with code ${code}`))
    })
    return {
      connection: {
        ...(socketDir ? { host: socketDir, port: 5432 } : { host: '127.0.0.1', port: started.port }),
        user: 'postgres',
        database: 'postgres',
      },
      // PGlite has one session, whatever the number of connections; with one connection nothing leaks from one caller's
      // session into another's, and a transaction that waits for itself ends with a timeout instead of never.
      maxConnections: 1,
      async close() {
        isClosing = true
        await stopWorker(started.worker)
        process.off('exit', cleanUp)
        cleanUp()
      },
    }
  } catch (error) {
    isClosing = true
    await worker?.terminate()
    process.off('exit', cleanUp)
    cleanUp()
    throw error
  }
}

/**
 * Makes a new database under another name and renames it when it is whole, so that a start that is cut short leaves no
 * half of one. In a thread of its own: what the making takes, half a gigabyte, goes with it.
 */
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const { worker } = await startWorker({ folder: unfinished, socket: undefined })
  await stopWorker(worker)
  renameSync(unfinished, folder)
}

async function startWorker(options: WorkerOptions): Promise<{ worker: Worker; port: number }> {
  const worker = newWorker(options)
  const { port } = await nextReport(worker, 'ready').catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  return { worker, port }
}

async function stopWorker(worker: Worker): Promise<void> {
  worker.postMessage('close')
  await nextReport(worker, 'closed')
  await worker.terminate()
}

function newWorker(workerData: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData })
  // From the source (tests, npm run dev) a thread needs tsx of its own: Node 20 reads no TypeScript.
  const file = new URL('./pglite-worker.ts', import.meta.url).href
  return new Worker(
    `import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(import.meta.url)}))`,
    {
      eval: true,
      workerData,
    },
  )
}

function nextReport<E extends WorkerReport['event']>(
  worker: Worker,
  event: E,
): Promise<Extract<WorkerReport, { event: E }>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      act()
    }
    const isWanted = (report: WorkerReport): report is Extract<WorkerReport, { event: E }> => report.event === event
    const onMessage = (report: WorkerReport): void => {
      if (isWanted(report)) settle(() => resolve(report))
    }
    const onError = (error: Error): void => settle(() => reject(error))
    const onExit = (): void => settle(() => reject(new Error('the embedded database ended unexpectedly')))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
  })
}
