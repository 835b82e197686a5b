import pg from 'pg'

const quietMs = 10_000
const schema = 'snapshot'

/**
 * The rows that a server made at its start, kept beside them in its PostgreSQL, and put back when somebody has used the
 * server.
 */
export class TableSnapshot {
  private constructor(
    private readonly client: pg.Client,
    private readonly restoration: string,
  ) {}

  static async take(url: string): Promise<TableSnapshot> {
    const client = new pg.Client({ connectionString: url, application_name: 'parley-snapshot' })
    // A database that is dropped ends this connection as well.
    client.on('error', () => undefined)
    await client.connect()
    const { rows: tables } = await client.query<{ name: string; columns: string }>(`
      select quote_ident(c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname order by c.relname`)
    await client.query(`create schema ${schema}`)
    const puttingBack: string[] = []
    for (const { name, columns } of tables) {
      const { rowCount } = await client.query(`select from public.${name} limit 1`)
      if (rowCount === 0) continue
      await client.query(`create table ${schema}.${name} as table public.${name}`)
      puttingBack.push(
        `insert into public.${name} (${columns}) overriding system value select ${columns} from ${schema}.${name}`,
      )
    }
    const emptying = tables.map(({ name }) => `delete from public.${name}`)
    // The tables of money refuse it, and the others want an order: with this role neither is asked.
    const restoration = [
      'begin',
      'set local session_replication_role = replica',
      ...emptying,
      ...puttingBack,
      'commit',
    ].join(';\n')
    return new TableSnapshot(client, restoration)
  }

  /** False when the server did not come to rest. */
  async restore(): Promise<boolean> {
    for (const deadline = Date.now() + quietMs; !(await this.isQuiet()); ) {
      if (Date.now() > deadline) return false
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await this.client.query(this.restoration)
    return true
  }

  async close(): Promise<void> {
    await this.client.end()
  }

  /** No answer is being written, and nothing else is under way that would write into the next one's tables. */
  private async isQuiet(): Promise<boolean> {
    const { rows } = await this.client.query<{ is_quiet: boolean }>(`
      select not exists (select from generations where status = 'running')
        and not exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
          and backend_type = 'client backend') as is_quiet`)
    return rows[0]?.is_quiet === true
  }
}
