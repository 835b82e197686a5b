import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ended, outputUntil, runSource } from './testing/run-source'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-main-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function start(env: Record<string, string>) {
  const child = runSource('main.ts', [], { DATABASE_URL: '', REDIS_URL: '', PORT: '0', DATA_DIR: aFolder(), ...env })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  return { child, errors: () => errors.trim() }
}

describe('the process', () => {
  it('prints its address, serves, and ends in order on SIGTERM', async () => {
    const { child } = start({})
    const said = await outputUntil(child, /Parley is ready: \S+[\s\S]*Database: embedded/)
    const address = /ready: (http:\/\/localhost:\d+)\/app/.exec(said)?.[1] ?? ''
    expect((await fetch(`${address}/api/health/ready`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  it('says in one line which variable is wrong', async () => {
    const { child, errors } = start({ LOG_LEVEL: 'loud' })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(/^LOG_LEVEL must be one of .+$/)
  })

  it('says in one line that the port is taken, and gives the database back', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const DATA_DIR = aFolder()
    const { child, errors } = start({ PORT: port, DATA_DIR })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(new RegExp(`^Port ${port} is in use by another program\\. .+$`))
    const again = start({ DATA_DIR })
    expect(await outputUntil(again.child, /ready/)).toContain('Parley is ready')
  })

  it('says in one line who uses the database', async () => {
    const DATA_DIR = aFolder()
    const first = start({ DATA_DIR })
    await outputUntil(first.child, /ready/)
    const { child, errors } = start({ DATA_DIR })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(new RegExp(`^The database is in use by process ${first.child.pid} since .+$`))
  })
})
