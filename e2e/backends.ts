// Servers that a worker keeps for its journeys, one for each storage and environment: starting one takes longer than
// many a journey.
import { setTimeout as delay } from 'node:timers/promises'
import { type GatewayStandIn, startGatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { TableSnapshot } from '../apps/server/src/testing/table-snapshot'
import { hasPostgresql, ParleyServer, type Storage } from './parley-server'

export type Wanted = {
  storage: Storage
  environment: Record<string, string>
  /** What the gateway lists where it is not the usual: servers ask for it when they start, and keep it. */
  models?: readonly object[] | undefined
}

/** A server and the model gateway that it asks. */
export class Backend {
  private constructor(
    readonly gateway: GatewayStandIn,
    readonly server: ParleyServer,
    private readonly snapshot: TableSnapshot | undefined,
    private readonly models: readonly object[] | undefined,
  ) {}

  static async start({ storage, environment, models }: Wanted): Promise<Backend> {
    const gateway = await startGatewayStandIn()
    if (models) gateway.models = models
    const usual = {
      LLM_BASE_URL: gateway.url,
      LLM_API_KEY: 'test-key',
      RATE_LIMIT_SCALE: '0',
      ANON_DAILY_MESSAGES: '100000',
    }
    const server = await ParleyServer.start({ ...usual, ...environment }, storage)
    const { databaseUrl } = server
    const snapshot = databaseUrl === undefined ? undefined : await TableSnapshot.take(databaseUrl)
    return new Backend(gateway, server, snapshot, models)
  }

  /** As after the start, for the next journey. False where that cannot be promised. */
  async reset(): Promise<boolean> {
    await this.untilIdle()
    this.gateway.reset()
    if (this.models) this.gateway.models = this.models
    this.server.output = ''
    if (!this.server.isRunning) return false
    return this.snapshot ? this.snapshot.restore() : true
  }

  /**
   * A question that was sent at the end of a journey is asked by the server a moment later: it would take what the next
   * journey tells the gateway to answer. Nobody reads these answers any more.
   */
  private async untilIdle(): Promise<void> {
    for (let idle = 0, looks = 0; idle < 2 && looks < maxLooks && this.server.isRunning; looks++) {
      this.gateway.reset()
      await delay(lookMs)
      const metrics = await (await fetch(`${this.server.url}/metrics?${ofBusy}`)).text()
      const isIdle = busy.every((name) => metrics.includes(`\n${name} 0\n`))
      idle = isIdle ? idle + 1 : 0
    }
  }

  async remove(): Promise<void> {
    await this.snapshot?.close()
    await this.server.remove()
    await this.gateway.close()
  }
}

const busy = ['chat_questions_preparing', 'chat_answers_running', 'chat_sockets_open']
const ofBusy = busy.map((name) => `name[]=${name}`).join('&')
const lookMs = 20
/** What goes on after two seconds ends with the connections to the gateway. */
const maxLooks = 100

/** So many at a time: journeys that want the same stand beside each other. */
const mostKept = 3

/** Of one worker, which runs one journey at a time. */
export class Backends {
  /** The one that was used last is the last. */
  private readonly kept = new Map<string, Backend>()

  /** The embedded database is the server's alone: there what others made stays. */
  static canEmptyTables(storage: Storage): boolean {
    return hasPostgresql(storage)
  }

  async take(wanted: Wanted): Promise<Backend> {
    const key = keyOf(wanted)
    const known = this.kept.get(key)
    this.kept.delete(key)
    return known ?? Backend.start(wanted)
  }

  /** For the next journey that wants the same. */
  async giveBack(wanted: Wanted, backend: Backend): Promise<void> {
    const key = keyOf(wanted)
    if (this.kept.has(key) || !(await backend.reset())) return backend.remove()
    this.kept.set(key, backend)
    const [oldest] = this.kept.keys()
    if (this.kept.size <= mostKept || oldest === undefined) return
    const least = this.kept.get(oldest)
    this.kept.delete(oldest)
    await least?.remove()
  }

  async close(): Promise<void> {
    for (const backend of this.kept.values()) await backend.remove()
  }
}

const keyOf = ({ storage, environment, models }: Wanted): string =>
  JSON.stringify([storage, Object.entries(environment).sort(), models])
