import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/build-test-app'
import { copyEmbeddedTemplate } from '../../testing/embedded-template'
import { aPerson } from '../../testing/person'
import { ended, outputUntil, processTimeout, runSource } from '../../testing/run-source'
import { openAdminSocket, runOnServer } from './admin-socket'

const email = 'ana@example.org'
/** Of credits at sign-up. */
const noGift = { SIGNUP_CREDITS: '0' }
const admin = (app: TestApp, line: string) => app.admin(line.split(' '))
function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-admin-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('says how commands are written when one is not', async () => {
  const app = await buildTestApp()
  for (const [line, problem] of [
    ['', 'There is no command "".'],
    ['credits', 'There is no command "credits".'],
    ['users delete --email x', 'There is no command "users delete".'],
    ['users block', '--email is missing.'],
    ['users list --email x', 'This command takes no --email.'],
    ['users list --page -1', "Option '--page' argument is ambiguous"],
    ['users list --page 1.5', '--page must be a whole number from 0.'],
    ['ledger check --force', "Unknown option '--force'"],
  ]) {
    const { isOk, lines } = await admin(app, line ?? '')
    expect(isOk).toBe(false)
    expect(lines[0]).toContain(problem)
    expect(lines).toContain('npm run admin -- <command>')
  }
})

describe('the door of a running server', () => {
  it('is for whoever can read its folder, and only while it runs', async () => {
    const app = await buildTestApp()
    const dataDir = aFolder()
    expect(await runOnServer(dataDir, ['ledger', 'check'])).toBeUndefined()
    const close = await openAdminSocket({ dataDir, run: app.admin, log: app.log })
    onTestFinished(close)
    const file = join(dataDir, 'admin.json')
    expect(statSync(file).mode & 0o077).toBe(0)
    const socketFile: { path: string; token: string } = JSON.parse(readFileSync(file, 'utf8'))
    expect(statSync(join(socketFile.path, '..')).mode & 0o077).toBe(0)
    expect((await runOnServer(dataDir, ['ledger', 'check']))?.lines[0]).toContain('in order')

    const elsewhere = aFolder()
    writeFileSync(join(elsewhere, 'admin.json'), JSON.stringify({ ...socketFile, port: null, token: 'guessed' }))
    expect(await runOnServer(elsewhere, ['ledger', 'check'])).toEqual({
      isOk: false,
      lines: ['This is not the door of that server.'],
    })
    close()
    expect(await runOnServer(dataDir, ['ledger', 'check'])).toBeUndefined()
    // What a server that was killed leaves behind.
    writeFileSync(file, JSON.stringify(socketFile))
    expect(await runOnServer(dataDir, ['ledger', 'check'])).toBeUndefined()
  })

  it('says that a command failed, and logs why', async () => {
    const app = await buildTestApp()
    const dataDir = aFolder()
    const close = await openAdminSocket({ dataDir, run: () => Promise.reject(new Error('the reason')), log: app.log })
    onTestFinished(close)
    expect(await runOnServer(dataDir, ['ledger', 'check'])).toEqual({
      isOk: false,
      lines: ['The command failed; the log of the server says why.'],
    })
    expect(app.logs()).toContain('the reason')
  })
})

describe('npm run admin', { timeout: processTimeout }, () => {
  function run(env: Record<string, string>, ...args: string[]) {
    const child = runSource('admin-command.ts', args, {
      DATABASE_URL: '',
      REDIS_URL: '',
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...env,
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      said.out += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      said.err += String(chunk)
    })
    return ended(child).then((code) => ({ code, ...said }))
  }

  it('works on the embedded database while a server holds it, and when none runs', async () => {
    const DATA_DIR = aFolder()
    await copyEmbeddedTemplate(DATA_DIR)
    const server = runSource('main.ts', [], { DATABASE_URL: '', REDIS_URL: '', PORT: '0', DATA_DIR, ...noGift })
    const printed = await outputUntil(server, /Database: embedded/)
    const url = /ready: (http:\/\/localhost:\d+)\/app/.exec(printed)?.[1] ?? ''
    const place = { url, call: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) }
    const ana = await aPerson(place, email)
    expect(await run({ DATA_DIR }, 'credits', 'grant', '--email', email, '--amount', '5')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Granted $5'),
    })
    expect((await ana.send('GET', '/api/billing/credit/user')).body).toEqual({ amount: 5 })
    expect(await run({ DATA_DIR }, 'broadcast', '--text', 'Hello')).toMatchObject({ code: 0 })
    server.kill('SIGTERM')
    await ended(server)

    expect(await run({ DATA_DIR }, 'users', 'list')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ana@example\.org\temail\t\S+\t\$5\.00/),
    })
    expect(await run({ DATA_DIR }, 'broadcast', '--text', 'Hello')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nobody would hear this'),
    })
    expect(await run({ DATA_DIR }, 'ledger', 'check')).toMatchObject({
      code: 0,
      out: expect.stringContaining('in order'),
    })
    expect(await run({ DATA_DIR }, 'credits', 'grant', '--email', email)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--amount is missing\.\n\nnpm run admin/),
    })
  })
})
