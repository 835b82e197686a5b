import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ended, outputUntil, runSource } from '../testing/run-source'
import { LockedError, takeLock } from './lock-file'

function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'db.lock')
}

const holder = (over: Record<string, unknown>) =>
  JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: null,
    since: '2026-11-21T00:00:00.000Z',
    nonce: 'another',
    ...over,
  })

/** The id of a process that has ended. */
async function aDeadPid(): Promise<number> {
  const child = runSource('testing/lock-holder.ts', [aPath()])
  await outputUntil(child, /locked/)
  child.kill('SIGKILL')
  await ended(child)
  return child.pid ?? 0
}

describe('lock file', () => {
  it('lets one process in and tells the second who holds it', async () => {
    const path = aPath()
    const first = runSource('testing/lock-holder.ts', [path])
    expect(await outputUntil(first, /\n/)).toBe('locked\n')
    const second = runSource('testing/lock-holder.ts', [path])
    expect(await outputUntil(second, /\n/)).toContain(`in use by process ${first.pid}`)
    expect(await ended(second)).toBe(3)
    // The loser has not touched the winner's lock.
    expect(() => takeLock(path)).toThrow(LockedError)
  })

  it('goes with its process, however that ends', async () => {
    const path = aPath()
    const orderly = runSource('testing/lock-holder.ts', [path])
    await outputUntil(orderly, /locked/)
    orderly.stdin.write('end\n')
    await ended(orderly)
    const killed = runSource('testing/lock-holder.ts', [path])
    expect(await outputUntil(killed, /\n/)).toBe('locked\n')
    killed.kill('SIGKILL')
    await ended(killed)
    const release = takeLock(path)
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid)
    release()
    expect(() => readFileSync(path)).toThrow()
  })

  it('is given to one of many that find a dead lock at once', async () => {
    const path = aPath()
    writeFileSync(path, holder({ pid: await aDeadPid() }))
    const racers = Array.from({ length: 6 }, () => runSource('testing/lock-holder.ts', [path]))
    const said = await Promise.all(racers.map((racer) => outputUntil(racer, /\n/)))
    expect(said.filter((text) => text === 'locked\n')).toHaveLength(1)
  })

  it('is not held twice by one process', () => {
    const path = aPath()
    const release = takeLock(path)
    expect(() => takeLock(path)).toThrow(`in use by process ${process.pid}`)
    release()
    takeLock(path)()
  })

  it('is not fooled by a process id that was given out again', () => {
    const path = aPath()
    writeFileSync(path, holder({ started: '1' }))
    if (process.platform === 'linux') takeLock(path)()
    else expect(() => takeLock(path)).toThrow(LockedError)
  })

  it('of another host counts while it beats', () => {
    const path = aPath()
    writeFileSync(path, holder({ host: 'another-host', pid: 1 }))
    expect(() => takeLock(path)).toThrow('on host another-host')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(path, longAgo, longAgo)
    takeLock(path)()
  })
})
