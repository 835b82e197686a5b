import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { createLogger } from '../../plugins/logging'
import { postgresqlUrl } from '../../testing/postgresql'
import { openPostgresql } from '../../testing/test-databases'
import { checkLedgerSince } from './ledger-check-store'

const hour = 3_600_000
const people = 500
const each = 100

/**
 * A database whose ledger has 50,000 settled answers, all older than a day, made by SQL; the database's own fences are
 * off meanwhile.
 */
async function aLargeLedger() {
  const { url, remove, database } = await openPostgresql()
  await database.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  await client.query(`
    set session_replication_role = replica;
    insert into ledger_accounts (id, kind) select md5('account ' || a)::uuid, 'user' from generate_series(1, ${people}) a;
    insert into ledger_accounts (id, kind) values (md5('revenue')::uuid, 'revenue'), (md5('promo')::uuid, 'promo');
    insert into ledger_transactions (id, idem, kind, at) select md5('grant ' || a)::uuid, 'grant:' || a, 'grant', now() - interval '3 days' from generate_series(1, ${people}) a;
    insert into ledger_entries (transaction_id, account_id, amount, balance)
      select md5('grant ' || a)::uuid, md5('account ' || a)::uuid, 5000, 5000 from generate_series(1, ${people}) a;
    insert into ledger_entries (transaction_id, account_id, amount) select md5('grant ' || a)::uuid, md5('promo')::uuid, -5000 from generate_series(1, ${people}) a;
    insert into ledger_holds (id, account_id, message_id, amount, state, charged, produced, model, expires_at, created_at, ended_at)
      select md5(a || ' hold ' || n)::uuid, md5('account ' || a)::uuid, md5(a || ' message ' || n)::uuid, 2, 'settled', 1, 1, 'm', now(), now() - interval '2 days', now() - interval '2 days'
      from generate_series(1, ${each}) n, generate_series(1, ${people}) a;
    insert into ledger_transactions (id, idem, kind, hold_id, at)
      select md5(a || ' settle ' || n)::uuid, 'settle:' || md5(a || ' hold ' || n)::uuid, 'settle', md5(a || ' hold ' || n)::uuid, now() - interval '2 days'
      from generate_series(1, ${each}) n, generate_series(1, ${people}) a;
    insert into ledger_entries (transaction_id, account_id, amount, balance)
      select md5(a || ' settle ' || n)::uuid, md5('account ' || a)::uuid, -1, 5000 - n from generate_series(1, ${each}) n, generate_series(1, ${people}) a;
    insert into ledger_entries (transaction_id, account_id, amount)
      select md5(a || ' settle ' || n)::uuid, md5('revenue')::uuid, 1 from generate_series(1, ${each}) n, generate_series(1, ${people}) a;
    insert into ledger_balances (account_id, posted, held, owed) select md5('account ' || a)::uuid, 5000 - ${each}, 0, 0 from generate_series(1, ${people}) a;
    set session_replication_role = origin`)
  await client.query('vacuum analyze')
  const db = await openDatabase({
    databaseUrl: url,
    dataDir: '/tmp',
    log: createLogger({ level: 'silent' }),
    onCrash: () => undefined,
  })
  onTestFinished(() => db.close())
  return { client, db: db.db }
}

/** Rows of the ledger that were read since the server began to count. */
async function rowsRead(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n from pg_stat_user_tables where relname in ('ledger_entries', 'ledger_transactions', 'ledger_holds')`,
  )
  return Number(rows[0]?.n)
}

const bounds = () => ({ openBefore: new Date(Date.now() - hour), settledBefore: new Date(Date.now() - hour) })

describe.skipIf(!postgresqlUrl)('the check of a ledger of 50,000 answers (needs TEST_DATABASE_URL)', () => {
  it('reads all of it once, then what is new, and finds what is wrong there', async () => {
    const { client, db } = await aLargeLedger()
    const before = await rowsRead(client)
    const first = await checkLedgerSince(db, { since: undefined, ...bounds() })
    expect(first.findings).toEqual([])
    const full = (await rowsRead(client)) - before
    expect(full).toBeGreaterThan(people * each * 3)

    const account = `md5('account 7')::uuid`
    const settle = async (name: string, balance: number, at: string) =>
      client.query(`begin; set local session_replication_role = replica;
        insert into ledger_holds (id, account_id, message_id, amount, state, charged, produced, model, expires_at, created_at, ended_at)
          values (md5('${name}')::uuid, ${account}, md5('${name} message')::uuid, 2, 'settled', 1, 1, 'm', now(), now(), ${at});
        insert into ledger_transactions (id, idem, kind, hold_id, at) values (md5('${name}')::uuid, 'settle:${name}', 'settle', md5('${name}')::uuid, ${at});
        insert into ledger_entries (transaction_id, account_id, amount, balance) values (md5('${name}')::uuid, ${account}, -1, ${balance});
        insert into ledger_entries (transaction_id, account_id, amount) values (md5('${name}')::uuid, md5('revenue')::uuid, 1);
        update ledger_balances set posted = posted - 1 where account_id = ${account}; commit`)
    await settle('new one', 5000 - each - 1, 'now()')
    const [again, second] = [await rowsRead(client), await checkLedgerSince(db, { since: first.next, ...bounds() })]
    expect(second.findings).toEqual([])
    expect((await rowsRead(client)) - again).toBeLessThan(200)

    // A balance that does not follow from the one before the mark.
    await settle('new two', 5000 - each, 'now()')
    const third = await checkLedgerSince(db, { since: second.next, ...bounds() })
    expect(third.findings.map(({ rule }) => rule)).toEqual(['each entry of a person tells the balance after it'])
  })

  it('looks at what is young once more: a transaction that is under way may still add smaller numbers', async () => {
    const { client, db } = await aLargeLedger()
    const { next } = await checkLedgerSince(db, {
      since: undefined,
      openBefore: new Date(0),
      settledBefore: new Date(Date.now() - 73 * hour),
    })
    expect(next.entry).toBe(0n)
    const { rows } = await client.query<{ last: string }>('select max(id) as last from ledger_entries')
    expect((await checkLedgerSince(db, { since: next, ...bounds() })).next.entry).toBe(BigInt(rows[0]?.last ?? -1))
  })
})
