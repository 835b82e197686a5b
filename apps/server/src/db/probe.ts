import pg from 'pg'

const patienceMs = 2_000

/**
 * Asks whether the database answers, on a connection of its own: that all others are busy does not make it look away.
 */
export class DatabaseProbe {
  private client: pg.Client | undefined
  private asking: Promise<boolean> | undefined
  private isEnded = false

  constructor(private readonly connection: pg.ClientConfig) {}

  /** However many ask at once, one question is under way. */
  isUp(): Promise<boolean> {
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined
    })
    return this.asking
  }

  async end(): Promise<void> {
    this.isEnded = true
    await this.drop()
  }

  private async ask(): Promise<boolean> {
    const isKept = this.client !== undefined
    // A kept connection may have been cut meanwhile, which says nothing about the next one.
    return (await this.answers()) || (isKept && (await this.answers()))
  }

  private async answers(): Promise<boolean> {
    if (this.isEnded) return false
    try {
      this.client ??= await this.open()
      await this.client.query('select 1')
      return true
    } catch {
      await this.drop()
      return false
    }
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.connection,
      application_name: 'parley probe',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    })
    client.on('error', () => {
      if (this.client === client) this.client = undefined
    })
    await client.connect()
    return client
  }

  private async drop(): Promise<void> {
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => undefined)
  }
}
