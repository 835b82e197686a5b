import { randomBytes } from 'node:crypto'
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod/mini'

const Holder = z.object({
  pid: z.int(),
  host: z.string(),
  /**
   * When the process started, in the kernel's own count where it tells; it unmasks a process id that was given out
   * again.
   */
  started: z.nullable(z.string()),
  since: z.string(),
  nonce: z.string(),
})
type Holder = z.infer<typeof Holder>

const beatMs = 5_000
/** A holder on another host cannot be asked whether it lives; it is believed dead when its beat is this old. */
const foreignDeadMs = 30_000
const takeOverMs = 10_000

export class LockedError extends Error {
  override name = 'LockedError'
}

/**
 * Makes this process the only one that uses a folder: PGlite does not guard its own, and two processes on one folder
 * corrupt it without a word. A lock is never taken from a living process; that of a dead one is. Returns the release.
 * Throws LockedError naming the holder.
 */
export function takeLock(path: string): () => void {
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    since: new Date().toISOString(),
    nonce: randomBytes(9).toString('base64url'),
  }
  const text = JSON.stringify(mine)
  if (!createExclusively(path, text)) takeOver(path, text)

  const beat = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(path, now, now)
    } catch {
      // The folder is gone; there is nothing left to guard.
    }
  }, beatMs)
  beat.unref()

  const release = (): void => {
    clearInterval(beat)
    process.off('exit', release)
    if (readHolder(path)?.nonce === mine.nonce) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return release
}

/** Only one process at a time may replace a dead holder, or two could both believe that they did. */
function takeOver(path: string, text: string): void {
  const guard = `${path}.take-over`
  if (ageMs(guard) > takeOverMs) rmSync(guard, { force: true })
  if (!createExclusively(guard, text))
    throw new LockedError(`Another process is just opening the database (${path}). Please try again.`)
  try {
    const holder = readHolder(path)
    if (holder && isAlive(holder, path)) throw new LockedError(inUse(holder, path))
    // An unreadable lock is one in the middle of being written, or what a crash in that moment left behind.
    if (!holder && ageMs(path) < takeOverMs)
      throw new LockedError(`Another process is just opening the database (${path}). Please try again.`)
    // The rename replaces it in one step: at no moment is there no lock, so nobody can slip in by creating one.
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } finally {
    rmSync(guard, { force: true })
  }
}

function inUse(holder: Holder, path: string): string {
  const where = holder.host === hostname() ? '' : ` on host ${holder.host}`
  return `The database is in use by process ${holder.pid}${where} since ${holder.since}. Stop that process, or choose another DATA_DIR. (Lock file: ${path})`
}

function createExclusively(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, text)
    closeSync(file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return z.parse(Holder, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) return ageMs(path) < foreignDeadMs
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const started = startOf(holder.pid)
  return holder.started === null || started === null || started === holder.started
}

/** Field 22 of /proc/{pid}/stat; null where there is no such file. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}
