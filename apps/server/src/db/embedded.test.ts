import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { copyEmbeddedTemplate } from '../testing/embedded-template'
import { ended, outputUntil, processTimeout, runSource } from '../testing/run-source'
import { openDatabase } from './client'
import { socketTickets } from './schema/tickets'

const log = createLogger({ level: 'silent' })
const onCrash = (error: Error): void => {
  throw error
}

async function aFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-db-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyEmbeddedTemplate(folder)
  return folder
}

const embedded = (dataDir: string) => openDatabase({ databaseUrl: undefined, dataDir, log, onCrash })

describe('the embedded database', { timeout: processTimeout }, () => {
  it('is migrated once and keeps its rows', async () => {
    const dataDir = await aFolder()
    const first = await embedded(dataDir)
    await first.db.insert(socketTickets).values({ tokenHash: 'kept', subject: 'anon:a', expiresAt: new Date(0) })
    await first.close()
    const second = await embedded(dataDir)
    onTestFinished(() => second.close())
    expect(await second.db.select({ tokenHash: socketTickets.tokenHash }).from(socketTickets)).toEqual([
      { tokenHash: 'kept' },
    ])
    expect(await second.isUp()).toBe(true)
  })

  it('refuses a folder that another process uses, and leaves that one alone', async () => {
    const dataDir = await aFolder()
    const first = await embedded(dataDir)
    onTestFinished(() => first.close())
    await expect(embedded(dataDir)).rejects.toThrow(`in use by process ${process.pid}`)
    expect(await first.isUp()).toBe(true)
  })

  it('answers a database that is gone with false instead of waiting', async () => {
    const one = await embedded(await aFolder())
    await one.close()
    expect(await one.isUp()).toBe(false)
  })

  it('loses no acknowledged row when the process is killed', async () => {
    const dataDir = await aFolder()
    const acknowledged: string[] = []
    for (const run of ['first', 'second']) {
      const writer = runSource('testing/row-writer.ts', [dataDir, run])
      const said = await outputUntil(writer, new RegExp(`${run}-60\n`))
      writer.kill('SIGKILL')
      await ended(writer)
      // The last line may be cut: only whole ones were acknowledged.
      acknowledged.push(...said.split('\n').slice(0, -1))
    }
    const reopened = await embedded(dataDir)
    onTestFinished(() => reopened.close())
    const rows = await reopened.db.select({ tokenHash: socketTickets.tokenHash }).from(socketTickets)
    const kept = new Set(rows.map(({ tokenHash }) => tokenHash))
    expect(acknowledged.length).toBeGreaterThan(120)
    expect(acknowledged.filter((hash) => !kept.has(hash))).toEqual([])
  })
})
