import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dollars, minus } from '@parley/contract/money'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { createLogger } from '../../plugins/logging'
import { aHoldService, aPersonWith } from '../../testing/ledger-people'
import { createDatabase } from '../../testing/postgresql'
import { ended, outputUntil, processTimeout, runSource } from '../../testing/run-source'
import { isDeep } from '../../testing/seeded'
import { databases } from '../../testing/test-databases'
import { findBalance } from './ledger-store'
import { LedgerService } from './public/ledger'

const onCrash = (error: Error): void => {
  throw error
}

describe.each(databases)('a process that is killed on %s', { timeout: processTimeout }, (kind) => {
  it('loses no acknowledged charge, charges nothing twice, and what it left open ends at what had come', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const server = kind === 'postgresql' ? await createDatabase() : undefined
    if (server) onTestFinished(server.drop)
    const open = () =>
      openDatabase({ databaseUrl: server?.url, dataDir, log: createLogger({ level: 'fatal' }), onCrash })

    const first = await open()
    const userId = await aPersonWith(first.db, new LedgerService({ db: first.db, now: Date.now }), '1000')
    await first.close()
    const said: string[] = []
    const kills = isDeep ? 3 : 1
    for (let kill = 1; kill <= kills; kill++) {
      const writer = runSource('testing/ledger-writer.ts', [dataDir, userId, ...(server ? [server.url] : [])])
      const heard = await outputUntil(writer, new RegExp(`count ${15 * kill}\n`))
      writer.kill('SIGKILL')
      await ended(writer)
      // The last line may be cut: only whole ones were acknowledged.
      said.push(...heard.split('\n').slice(0, -1))
    }

    const { db, close } = await open()
    onTestFinished(close)
    const ledger = new LedgerService({ db, now: Date.now })
    expect((await ledger.check()).findings).toEqual([])
    const holds = aHoldService(db, () => Date.now() + 120_000)
    await holds.sweep()
    const report = await ledger.check()
    expect(report).toMatchObject({ findings: [], openHolds: 0 })

    const held = said.filter((line) => line.startsWith('held ')).map((line) => line.split(' ')[1] ?? '')
    const charged = said.filter((line) => line.startsWith('charged '))
    expect(charged.length).toBeGreaterThanOrEqual(15 * kills)
    for (const line of charged) {
      const [, messageId = '', amount] = line.split(' ')
      expect(String(await holds.chargedFor({ userId, messageId }))).toBe(amount)
    }
    // None that was acknowledged as held is open or lost.
    for (const messageId of held) expect(await holds.chargedFor({ userId, messageId })).toBeDefined()
    const balance = await findBalance(db, userId)
    const revenue = report.sums.find((sum) => sum.kind === 'revenue')?.amount ?? dollars(0)
    expect(balance).toMatchObject({ posted: minus(dollars(1000), revenue), held: dollars(0) })
  })
})
