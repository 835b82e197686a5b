import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, postgresqlUrl, type TemporaryDatabase } from '../apps/server/src/testing/postgresql'

/** The first start of all makes the embedded database, for which a busy machine takes its time. */
export const launchMs = 180_000

const entry = new URL('../apps/server/dist/main.js', import.meta.url).pathname

/** A port that was free a moment ago; a server that is restarted needs the same one again. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Where a server keeps its data. `fresh`: the embedded database, which does not exist yet, as after a clone.
 * `embedded`: the same with empty tables. `any`: what starts quickest, which is PostgreSQL where TEST_DATABASE_URL
 * names one.
 */
export type Storage = 'fresh' | 'embedded' | 'any'

export const hasPostgresql = (storage: Storage): boolean => storage === 'any' && postgresqlUrl !== undefined

/** The built server as a process of its own, with empty data of its own. */
export class ParleyServer {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'parley-e2e-'))
  /** Everything that the process printed, over all its lives. */
  output = ''
  private process: ChildProcess | undefined

  private constructor(
    readonly port: number,
    private readonly env: Record<string, string>,
    private readonly database: TemporaryDatabase | undefined,
  ) {}

  static async start(env: Record<string, string> = {}, storage: Storage = 'any'): Promise<ParleyServer> {
    const { E2E_TEMPLATE: template, E2E_DATABASE: embedded } = process.env
    const database = hasPostgresql(storage) ? await createDatabase(template) : undefined
    const server = new ParleyServer(await freePort(), database ? { DATABASE_URL: database.url, ...env } : env, database)
    if (!database && storage !== 'fresh' && embedded !== undefined)
      cpSync(embedded, join(server.dataDir, 'db'), { recursive: true })
    await server.launch()
    return server
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** Of the PostgreSQL database that was made for it; undefined where it has another one. */
  get databaseUrl(): string | undefined {
    return this.database?.url
  }

  /** Of the process; undefined once it is gone. */
  get pid(): number | undefined {
    return this.isRunning ? this.process?.pid : undefined
  }

  get isRunning(): boolean {
    return this.process !== undefined && this.process.exitCode === null && this.process.signalCode === null
  }

  /** `extra`: what this life of it is told beside what every one is. */
  async launch(extra: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, [entry], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        // The workers have a dozen servers on one PostgreSQL, which serves a hundred connections.
        DATABASE_POOL_SIZE: '4',
        LOG_LEVEL: 'debug',
        AUTH_SECRET: 'a secret of these journeys alone, long enough',
        ...this.env,
        ...extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process = child
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    for (const deadline = Date.now() + launchMs; ; ) {
      if (child.exitCode !== null) throw new Error(`Parley ended with ${child.exitCode}:\n${this.output}`)
      if (await this.isReady()) return
      if (Date.now() > deadline) throw new Error(`Parley did not start:\n${this.output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  private async isReady(): Promise<boolean> {
    try {
      return (await fetch(`http://127.0.0.1:${this.port}/api/health/ready`)).ok
    } catch {
      return false
    }
  }

  /** SIGKILL is the power switch; SIGTERM the polite stop. Resolves when the process is gone. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.process
    if (!child || !this.isRunning) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    await this.database?.drop()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
