import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { readEnv } from '../env'
import { createHttp } from '../plugins/http'
import { createLogger } from '../plugins/logging'
import { registerPeople } from '../plugins/people'
import { createBus } from '../providers/bus/create-bus'
import { Secrets } from '../secrets'

type Options = {
  env?: Record<string, string>
  /** Routes beside those that every server has. */
  mount?: (http: FastifyInstance) => void
  webRoot?: string
  now?: () => number
}

export type TestHttp = {
  url: string
  logs(): string
  call(path: string, init?: RequestInit): Promise<Response>
  /** For what no client may say over a socket, such as another host. */
  inject: FastifyInstance['inject']
}

const secrets = new Secrets(['a secret of the tests that is long enough'])

/** The HTTP server without database and features, for what concerns all routes; closed when the test ends. */
export async function testHttp({ env = {}, mount, webRoot, now = Date.now }: Options = {}): Promise<TestHttp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-http-'))
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const bus = await createBus({ redisUrl: undefined, secrets, log })
  const http = await createHttp({
    // As in build-test-app.ts: what else the process does is no reason to refuse requests.
    env: readEnv({ PORT: '0', DATA_DIR: dataDir, MAX_EVENT_LOOP_DELAY_MS: '0', ...env }),
    secrets,
    countersKey: Buffer.alloc(32),
    bus,
    log,
    version: '0.0.0',
    webRoot: webRoot ?? join(dataDir, 'no-web'),
    now,
  })
  // Whoever shows a token is somebody: which tokens are good is the business of features/auth.
  registerPeople(
    http,
    async (token) => ({ userId: token, sessionId: token, authenticatedAt: now() }),
    async (token) => token,
  )
  mount?.(http)
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    const closed = http.close()
    // An answer that the test did not read to its end would hold the server up.
    http.server.closeAllConnections()
    await closed
    await bus.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const address = http.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the test server does not listen')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    logs: () => lines.join(''),
    call: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    inject: http.inject.bind(http),
  }
}
