import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type App, buildApp, type Overrides } from '../app'
import type { Database, DatabaseKind, Db } from '../db/client'
import { readEnv } from '../env'
import { createLogger } from '../plugins/logging'
import { OfflineProvider } from '../providers/llm/offline-provider'
import { databaseKind, emptyTables, testDatabase } from './test-databases'

export { databaseKind, databases } from './test-databases'

export type TestApp = App & {
  /** `http://127.0.0.1:{port}` */
  url: string
  /** `ws://127.0.0.1:{port}` */
  wsUrl: string
  database: Database
  db: Db
  dataDir: string
  now(): number
  /** Every line logged so far. */
  logs(): string
  call(path: string, init?: RequestInit): Promise<Response>
}

type Options = Partial<Overrides> & {
  kind?: DatabaseKind
  /** Environment variables beside the defaults. */
  env?: Record<string, string>
  /** For a second node beside a first one. */
  keepTables?: boolean
  /** Closed by the test itself instead of at its end. */
  keepOpen?: boolean
}

/** By scripts/bundle-for-tests.mjs: they start in a fraction of the time that the source takes. */
const bundled = (name: string): string => fileURLToPath(new URL(`../../.cache/${name}`, import.meta.url))
const bundledReader = bundled('reader-child.js')
const bundledJoiner = bundled('join-worker.js')

/** The whole app with production options on a real database, listening on a free port; closed when the test ends. */
export async function buildTestApp({
  kind = databaseKind,
  env = {},
  keepTables = false,
  keepOpen = false,
  ...overrides
}: Options = {}): Promise<TestApp> {
  const database = overrides.database ?? (await testDatabase(kind))
  if (!keepTables) await emptyTables(database.db)
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-app-'))
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const app = await buildApp({
    // The process is not the app's alone: what else it does is no reason to refuse requests.
    env: readEnv({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_SCALE: '1', MAX_EVENT_LOOP_DELAY_MS: '0', ...env }),
    database,
    log,
    webRoot: join(dataDir, 'no-web'),
    // Written anew for each test they would cost more than the tests.
    productAgents: [],
    ...(existsSync(bundledReader) ? { reader: { program: bundledReader } } : {}),
    ...(existsSync(bundledJoiner) ? { joiner: { program: bundledJoiner } } : {}),
    // Otherwise each app looks for model servers of this machine.
    ...(env.LLM_BASE_URL === undefined && env.LLM_API_KEY === undefined ? { llm: new OfflineProvider() } : {}),
    ...overrides,
  })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const address = app.http.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the test app does not listen')
  const url = `http://127.0.0.1:${address.port}`

  const close = async (): Promise<void> => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  if (!keepOpen) onTestFinished(close)
  return {
    ...app,
    url,
    wsUrl: url.replace('http', 'ws'),
    database,
    db: database.db,
    dataDir,
    now: overrides.now ?? Date.now,
    logs: () => lines.join(''),
    call: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    close,
  }
}
