import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port'

const programs = findPrograms()

/** Whether this machine has the programs of a PostgreSQL server, which a test may start and stop as it likes. */
export const hasCluster = programs !== undefined

/**
 * How PostgreSQL itself names the ways to stop it: wait for all clients, roll back and disconnect them, or go at once.
 */
export const stopModes = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export type Cluster = {
  port: number
  url: string
  start(): Promise<void>
  /** Sends the signal. Resolves when it has ended; in mode `smart` that is when its last client has gone. */
  stop(mode: keyof typeof stopModes): Promise<void>
  /** A second server with the same data. This one must have been stopped. */
  copy(): Promise<Cluster>
}

/** A running PostgreSQL server that belongs to one test. */
export async function startCluster(): Promise<Cluster> {
  const folder = aFolder()
  run('initdb', ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const cluster = await clusterIn(folder)
  await cluster.start()
  return cluster
}

async function clusterIn(folder: string): Promise<Cluster> {
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const ended = (child: ChildProcess): Promise<unknown> =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    server?.kill('SIGQUIT')
    if (server) await ended(server)
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    port,
    url,
    async start() {
      const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((setting) => [
        '-c',
        setting,
      ])
      server = spawn(programPath('postgres'), ['-D', join(folder, 'data'), '-p', String(port), ...settings], {
        ...account(),
        stdio: 'ignore',
      })
      while (!(await answers(url))) if (server.exitCode !== null) throw new Error('PostgreSQL did not start')
    },
    async stop(mode) {
      server?.kill(stopModes[mode])
      if (server) await ended(server)
    },
    copy() {
      const other = aFolder()
      cpSync(join(folder, 'data'), join(other, 'data'), { recursive: true })
      if (process.getuid?.() === 0) execFileSync('chown', ['-R', String(account().uid), other])
      return clusterIn(other)
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    // A pause between two tries; it decides nothing.
    await new Promise((resolve) => setTimeout(resolve, 20))
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cluster-'))
  const { uid, gid } = account()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** PostgreSQL refuses to run as root. */
function account(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}

function run(name: string, args: string[]): void {
  execFileSync(programPath(name), args, { ...account(), stdio: 'ignore' })
}

function programPath(name: string): string {
  if (programs === undefined) throw new Error('this machine has no PostgreSQL server')
  return join(programs, name)
}

/** Debian keeps the programs of each version in a folder of its own. */
function findPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return undefined
  const folders = readdirSync(versions).map((version) => join(versions, version, 'bin'))
  return folders.filter((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres'))).at(-1)
}
