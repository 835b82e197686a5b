import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateChatMessage, Message, Usage } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { createLogger } from '../../plugins/logging'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { type ChatClient, textOf, Visitor } from '../../testing/chat-client'
import { redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { startGatewayStandIn } from '../../testing/gateway-stand-in'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson, Client } from '../../testing/person'
import { createDatabase } from '../../testing/postgresql'
import { ended, outputUntil, processTimeout, runSource } from '../../testing/run-source'
import { openPostgresql } from '../../testing/test-databases'
import { LedgerService } from '../credits/public/ledger'

const model = 'stand-in/large'
const email = 'ana@example.org'

describe.each(databases)(
  'credits and everything that goes wrong in chats, on %s',
  { timeout: processTimeout },
  (kind) => {
    it('charges what had come to the answer of a process that was killed, at whatever moment, and never twice', async () => {
      const gateway = await startGatewayStandIn()
      onTestFinished(() => gateway.close())
      const dataDir = mkdtempSync(join(tmpdir(), 'parley-credits-'))
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
      const server = kind === 'postgresql' ? await createDatabase() : undefined
      if (server) onTestFinished(server.drop)
      const env = {
        AUTH_SECRET: `a secret of both processes ${uuidv7()}`,
        DATA_DIR: dataDir,
        LLM_BASE_URL: gateway.url,
        LLM_API_KEY: 'key',
        SIGNUP_CREDITS: '10',
        RATE_LIMIT_SCALE: '0',
        ...(server ? { DATABASE_URL: server.url } : {}),
      }
      const text = words(4_000)
      const oftenBeating = { HEARTBEAT_MS: '100' }
      /**
       * A heartbeat has noted a part of the answer. Only PostgreSQL can be asked beside the process; elsewhere thirty
       * heartbeats have to do.
       */
      const isNoted = async (client: ChatClient, id: string): Promise<void> => {
        await client.untilText(server ? 'word100 ' : 'word1200 ')
        if (server) await expect.poll(() => producedOf(server.url, id)).toBe(true)
      }
      const ids: string[] = []
      /** Asks a process of its own, and kills it when `moment` has come; answers what the person had read. */
      const askAndKill = async (
        moment: (client: ChatClient, id: string) => Promise<unknown>,
        more: (ana: Client) => Promise<Partial<CreateChatMessage>> = async () => ({}),
        heart: Record<string, string> = {},
      ): Promise<{ id: string; seen: string }> => {
        const child = runSource('testing/chat-node.ts', [], { ...env, ...heart, REDIS_URL: '', PORT: '0' })
        const url = (await outputUntil(child, /http\S+\n/)).trim()
        const place = { url, call: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) }
        const ana = new Client(place)
        if (ids.length === 0) await ana.signUp(email)
        await ana.login(email)
        const client = await new Visitor(ana.tokens?.access_token).connect({ url })
        const id = client.ask('Will you survive?', { model, ...(await more(ana)) })
        ids.push(id)
        await moment(client, id)
        child.kill('SIGKILL')
        await ended(child)
        return { id, seen: textOf(client.frames) }
      }
      gateway.next({ text, delayMs: 30_000 })
      const unbegun = await askAndKill(() => expect.poll(() => gateway.requests.length).toBe(1))
      gateway.next({ text, tokensPerSecond: 400 })
      // Before a heartbeat.
      const early = await askAndKill((client) => client.untilText('word3 '), undefined, { HEARTBEAT_MS: '600000' })
      gateway.next({ text, tokensPerSecond: 400 })
      const late = await askAndKill(isNoted, undefined, oftenBeating)
      gateway.next({ text: words(20), usage: { prompt_tokens: 9, completion_tokens: 20, cost: 0.003 } })
      const complete = await askAndKill((client, id) => client.untilEvent('end', id))
      // In the cloud: an answer, and what goes on after it.
      gateway.next({ text: words(20), usage: { prompt_tokens: 9, completion_tokens: 20, cost: 0.004 } })
      let cloudChannel = ''
      let goesOn = ''
      const inCloud = await askAndKill(
        async (client, id) => {
          await client.untilEvent('end', id)
          gateway.next({ text, tokensPerSecond: 400 })
          goesOn = client.ask('Go on', {
            model,
            storageMode: 'cloud',
            channelId: cloudChannel,
            mId: id,
            isContinuation: true,
          })
          // Long enough to be stored in part.
          await client.untilText('word1200 ')
          await isNoted(client, goesOn)
        },
        async (ana) => {
          cloudChannel = ((await ana.post('/api/channel', {})).body as { data: { id: string } }).data.id
          return { storageMode: 'cloud', channelId: cloudChannel }
        },
        oftenBeating,
      )

      const database = await openDatabase({
        databaseUrl: server?.url,
        dataDir,
        log: createLogger({ level: 'fatal' }),
        onCrash: () => undefined,
      })
      onTestFinished(database.close)
      const ahead = serverLimits.chat.leaseMs + 1_000
      const app = await buildTestApp({
        database,
        keepTables: true,
        env: { ...env, DATABASE_URL: '' },
        now: () => Date.now() + ahead,
      })
      const ledger = new LedgerService({ db: app.db, now: Date.now })
      const ana = new Client(app)
      const { user } = await ana.login(email)
      await expect.poll(async () => (await ledger.check()).openHolds).toBe(0)

      const paidFor = async ({ id }: { id: string }): Promise<Nano> =>
        (await aHoldService(app.db).chargedFor({ userId: user.id, messageId: id })) ?? dollars(0)
      expect(await paidFor(unbegun)).toBe(dollars(0))
      expect(await paidFor(early)).toBe(dollars(0))
      const partly = await paidFor(late)
      expect(partly > dollars(0)).toBe(true)
      expect(partly <= dollars((estimateTokens(late.seen) * 0.000002 + 0.001).toFixed(9))).toBe(true)
      expect(await paidFor(complete)).toBe(dollars('0.003'))
      expect(await paidFor(inCloud)).toBe(dollars('0.004'))
      const onward = await paidFor({ id: goesOn })
      expect(onward > dollars(0)).toBe(true)
      const left = [partly, dollars('0.003'), dollars('0.004'), onward].reduce(minus, dollars(10))
      expect(await ledger.balance(user.id)).toBe(left)

      // The message says what all of it cost, as the history does.
      const { content } = (await ana.send('GET', `/api/chat/documents/0/100/${cloudChannel}`)).body as {
        content: Message[]
      }
      expect(content).toMatchObject([
        { mId: inCloud.id, status: 'interrupted', usage: { cost: String(plus(dollars('0.004'), onward)) } },
      ])
      expect(content[0]?.usage?.outputTokens).toBeGreaterThan(20)

      // The browser asks again after it has come back: it gets what there is, learns what it has paid for it, and pays
      // nothing.
      const again = await new Visitor(ana.tokens?.access_token).connect(app)
      for (const id of ids) again.send({ event: 'resume', messageId: id, afterSeq: 0 })
      const usageSaid = async ({ id }: { id: string }): Promise<Usage | undefined> =>
        (await again.untilEvent('error', id)).usage
      expect(await usageSaid(unbegun)).toBeUndefined()
      expect(await usageSaid(early)).toBeUndefined()
      expect(await usageSaid(late)).toMatchObject({ cost: String(partly) })
      expect(await usageSaid(complete)).toEqual({ inputTokens: 9, outputTokens: 20, cost: String(dollars('0.003')) })
      const repeating = await new Visitor(ana.tokens?.access_token).connect(app)
      const local = ids.filter((id) => id !== inCloud.id)
      for (const id of local) repeating.ask('Will you survive?', { messageId: id, model })
      for (const id of local) await repeating.untilOver(id)
      expect(await ledger.balance(user.id)).toBe(left)
      expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
      expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(6)
    })
  },
)

/** Whether the database knows a cost of the answer, which is held until then as a whole. */
async function producedOf(url: string, messageId: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select 1 from ledger_holds where message_id = $1 and produced > 0', [messageId])
  await client.end()
  return rows.length > 0
}

describe.skipIf(!redisUrl || !databases.includes('postgresql'))(
  'a node that is killed in mid-answer (needs TEST_DATABASE_URL and TEST_REDIS_URL)',
  () => {
    it('has another node tell whoever reads along what the person paid for what had come', async () => {
      const gateway = await startGatewayStandIn()
      onTestFinished(() => gateway.close())
      const database = await openPostgresql()
      onTestFinished(async () => {
        await database.database.close()
        await database.remove()
      })
      const env = {
        AUTH_SECRET: `a secret of both nodes ${uuidv7()}`,
        REDIS_URL: redisUrl ?? '',
        LLM_BASE_URL: gateway.url,
        LLM_API_KEY: 'key',
        SIGNUP_CREDITS: '10',
        DATA_DIR: tmpdir(),
      }
      const child = runSource('testing/chat-node.ts', [], {
        ...env,
        DATABASE_URL: database.url,
        PORT: '0',
        HEARTBEAT_MS: '100',
      })
      const url = (await outputUntil(child, /http\S+\n/)).trim()
      let ahead = 0
      const survivor = await buildTestApp({
        database: database.database,
        keepTables: true,
        env,
        now: () => Date.now() + ahead,
      })
      const ana = await aPerson(survivor, email)
      const visitor = new Visitor(ana.tokens?.access_token)
      gateway.next({ text: words(4_000), tokensPerSecond: 400 })
      const asking = await visitor.connect({ url })
      const id = asking.ask('Will you survive?', { model })
      await asking.untilEvent('accepted', id)
      const reading = await visitor.connect(survivor)
      reading.send({ event: 'resume', messageId: id, afterSeq: 0 })
      await reading.untilText('word10 ')
      await expect.poll(() => producedOf(database.url, id)).toBe(true)
      child.kill('SIGKILL')
      await ended(child)
      ahead = serverLimits.chat.leaseMs
      const { code, seq, usage } = await reading.untilEvent('error', id)
      expect({ code, seq: typeof seq }).toEqual({ code: 'chat.interrupted', seq: 'number' })
      const ledger = new LedgerService({ db: survivor.db, now: Date.now })
      const charged = await aHoldService(survivor.db).chargedFor({ userId: ana.answer.user.id, messageId: id })
      expect(charged !== undefined && charged > dollars(0)).toBe(true)
      expect(usage?.cost).toBe(String(charged))
      expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
    })
  },
)
