import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseVariables } from './testing/database-variables'
import { copyEmbeddedTemplate } from './testing/embedded-template'
import { freePort } from './testing/free-port'
import { ended, outputUntil, processTimeout, runSource, runSourceInto } from './testing/run-source'

function anEmptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-main-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** With a database, which takes seconds to make. */
async function aFolder(): Promise<string> {
  const folder = anEmptyFolder()
  await copyEmbeddedTemplate(folder)
  return folder
}

function start(env: Record<string, string> & { DATA_DIR: string }) {
  const child = runSource('main.ts', [], { DATABASE_URL: '', REDIS_URL: '', PORT: '0', ...env })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  return { child, errors: () => errors.trim() }
}

describe('the process', { timeout: processTimeout }, () => {
  it('prints its address, serves, and ends in order on SIGTERM', async () => {
    const { child } = start({ DATA_DIR: await aFolder() })
    const said = await outputUntil(child, /Parley is ready: \S+[\s\S]*Database: embedded/)
    const address = /ready: (http:\/\/localhost:\d+)\/app/.exec(said)?.[1] ?? ''
    expect((await fetch(`${address}/api/health/ready`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  it.skipIf(!existsSync('/dev/full'))('serves and ends in order with a full disk under its log', async () => {
    const port = await freePort()
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = runSourceInto(full, 'main.ts', {
      ...(await databaseVariables(anEmptyFolder())),
      PORT: String(port),
      METRICS_TOKEN: 'metrics',
    })
    const call = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer metrics' } })
    await expect
      .poll(async () => (await call('/api/health/ready').catch(() => undefined))?.status, { timeout: 50_000 })
      .toBe(200)
    for (let request = 0; request < 50; request++) expect((await call('/api/config')).status).toBe(200)
    await expect.poll(async () => (await call('/metrics')).text()).toMatch(/^log_write_errors_total [1-9]/m)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  it('serves and ends in order when the reader of its log has gone', async () => {
    const dataDir = anEmptyFolder()
    const { child } = start({ ...(await databaseVariables(dataDir)), DATA_DIR: dataDir, METRICS_TOKEN: 'metrics' })
    const said = await outputUntil(child, /Parley is ready: \S+[\s\S]*Models:/)
    const address = /ready: (http:\/\/localhost:\d+)\/app/.exec(said)?.[1] ?? ''
    child.stdout.destroy()
    child.stderr.destroy()
    const call = (path: string) => fetch(`${address}${path}`, { headers: { authorization: 'Bearer metrics' } })
    for (let request = 0; request < 50; request++) expect((await call('/api/config')).status).toBe(200)
    await expect.poll(async () => (await call('/metrics')).text()).toMatch(/^log_write_errors_total [1-9]/m)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  it('says in one line which variable is wrong', async () => {
    const { child, errors } = start({ DATA_DIR: anEmptyFolder(), LOG_LEVEL: 'loud' })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(/^LOG_LEVEL must be one of .+$/)
  })

  it('says in one line that the port is taken, and gives the database back', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const DATA_DIR = await aFolder()
    const { child, errors } = start({ PORT: port, DATA_DIR })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(new RegExp(`^Port ${port} is in use by another program\\. .+$`))
    const again = start({ DATA_DIR })
    expect(await outputUntil(again.child, /ready/)).toContain('Parley is ready')
  })

  it('says in one line who uses the database', async () => {
    const DATA_DIR = await aFolder()
    const first = start({ DATA_DIR })
    await outputUntil(first.child, /ready/)
    const { child, errors } = start({ DATA_DIR })
    expect(await ended(child)).toBe(1)
    expect(errors()).toMatch(new RegExp(`^The database is in use by process ${first.child.pid} since .+$`))
  })
})
