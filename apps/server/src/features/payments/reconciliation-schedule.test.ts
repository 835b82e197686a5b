import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../plugins/logging'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { buildTestApp } from '../../testing/build-test-app'
import { postgresqlUrl } from '../../testing/postgresql'
import { openPostgresql } from '../../testing/test-databases'
import { CreditEvents } from '../credits/public/credit-events'
import { LedgerService } from '../credits/public/ledger'
import { PaymentService } from './payment-service'
import { ReconciliationService } from './public/reconciliation'
import { lastSuccess } from './reconciliation-store'

const hour = 3_600_000

describe.skipIf(!postgresqlUrl)('the hourly check (needs TEST_DATABASE_URL)', () => {
  async function aNode() {
    const { database, url, remove } = await openPostgresql()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await database.close()
      await remove()
    })
    const { db } = database
    const log = createLogger({ level: 'silent' })
    let ahead = 0
    const now = () => Date.now() + ahead
    const methods = {} as ConstructorParameters<typeof PaymentService>[0]['methods']
    const payments = new PaymentService({
      db,
      ledger: new LedgerService({ db, now }),
      creditEvents: new CreditEvents({ bus: new MemoryBus(), log }),
      methods,
      log,
      now,
    })
    return {
      url,
      db,
      client,
      reconciliation: new ReconciliationService({ db, payments, methods, log, now }),
      later: (ms: number) => (ahead += ms),
    }
  }

  it('that breaks off keeps nothing from being reconciled, and leaves no connection behind that is not as it was', async () => {
    const { url, db, client, reconciliation, later } = await aNode()
    await client.query('begin; lock table ledger_holds in access exclusive mode')
    const running = reconciliation.runDue()
    const observer = new pg.Client({ connectionString: url })
    await observer.connect()
    onTestFinished(() => observer.end())
    const waiting = `select pid from pg_stat_activity where datname = current_database() and application_name = 'parley apart' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await observer.query(waiting)).rows.length).toBe(1)
    await observer.query(`select pg_terminate_backend(pid, 10000) from (${waiting}) as waiting`)
    await running
    await client.query('rollback')
    expect(await reconciliation.lastSuccesses()).toEqual({ ledgerCheck: undefined, reconciliation: expect.any(Date) })
    const states = await Promise.all(
      Array.from({ length: 25 }, () => db.transaction((tx) => tx.execute(sql`show transaction_read_only`))),
    )
    expect(new Set(states.map(({ rows }) => rows[0]?.transaction_read_only))).toEqual(new Set(['off']))
    later(hour + 1)
    await reconciliation.runDue()
    expect(await reconciliation.lastSuccesses()).toEqual({
      ledgerCheck: expect.any(Date),
      reconciliation: expect.any(Date),
    })
  })

  it('goes back to where the ledger was in order last until it is in order again', async () => {
    const { db, client, reconciliation, later } = await aNode()
    await reconciliation.runDue()
    const { mark } = await lastSuccess(db, 'ledger check')
    expect(mark).toBeDefined()
    await client.query(
      `set session_replication_role = replica; insert into ledger_transactions (id, idem, kind, at) values (md5('x')::uuid, 'x', 'grant', now())`,
    )
    for (let round = 0; round < 2; round++) {
      later(hour + 1)
      await reconciliation.runDue()
      expect((await reconciliation.openFindings()).map(({ rule }) => rule)).toEqual(['a transaction has entries'])
      expect((await lastSuccess(db, 'ledger check')).mark).toEqual(mark)
    }
    await client.query(`delete from ledger_transactions`)
    later(hour + 1)
    await reconciliation.runDue()
    expect(await reconciliation.openFindings()).toEqual([])
    expect((await lastSuccess(db, 'ledger check')).mark).not.toEqual(mark)
  })
})

describe('the metrics of the hourly check', () => {
  it('tell when it succeeded last, and that it has not for two hours', async () => {
    const app = await buildTestApp()
    const metrics = async () => (await app.call('/metrics')).text()
    expect(await metrics()).toMatch(/^ledger_check_success_timestamp_seconds 0$[\s\S]*^ledger_check_overdue 0$/m)
    await app.db.execute(sql`insert into shared_jobs (name, begun_at, succeeded_at) values
      ('ledger check', now(), now() - interval '121 minutes'), ('reconciliation', now(), now() - interval '119 minutes')`)
    const told = await metrics()
    expect(told).toMatch(/^ledger_check_overdue 1$/m)
    expect(told).toMatch(/^reconciliation_overdue 0$/m)
    expect(told).toMatch(/^reconciliation_success_timestamp_seconds [1-9]/m)
    expect(told).toMatch(/^reconciliation_findings_open 0$/m)
  })
})
