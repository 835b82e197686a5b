// The thread of the embedded database: PGlite, and the socket server through which the driver reaches it.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** Without a socket it listens on a free port of this machine. */
export type WorkerOptions = { folder: string; socket: string | undefined }
export type WorkerReport = { event: 'ready'; port: number } | { event: 'closed' }

const options: WorkerOptions = workerData
const database = await PGlite.create({ dataDir: options.folder, extensions: { pg_trgm } })
const server = new PGLiteSocketServer({
  db: database,
  maxConnections: 20,
  ...(options.socket ? { path: options.socket } : { host: '127.0.0.1', port: 0 }),
})
await server.start()

const report = (message: WorkerReport): void => parentPort?.postMessage(message)

parentPort?.on('message', async () => {
  await server.stop()
  await database.close()
  report({ event: 'closed' })
})

report({ event: 'ready', port: options.socket ? 0 : Number(server.getServerConn().split(':').at(-1)) })
