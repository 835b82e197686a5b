import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../db/client'
import { Scheduler } from '../../db/scheduler'
import { jobs } from '../../db/schema/jobs'
import { createLogger } from '../../plugins/logging'
import { createMail } from '../../providers/mail'
import { Secrets } from '../../secrets'
import { freePort } from '../../testing/free-port'
import { startMailReceiver } from '../../testing/mail-receiver'
import { databases, emptyTables, testDatabase } from '../../testing/test-databases'
import { postAsJobs } from './auth-mail-jobs'
import { createAuthMails } from './auth-mails'

const publicUrl = 'https://chat.example.org'
const to = { email: 'ana@example.org', language: 'en-US' } as const
const minuteMs = 60_000

describe.each(databases)('the mails of accounts on %s', (kind) => {
  let db: Db
  let now: number

  beforeEach(async () => {
    db = (await testDatabase(kind)).db
    await emptyTables(db)
    now = Date.parse('2026-11-01T12:00:00Z')
  })

  /** A node that mails by this address. */
  function aNode(smtpUrl: string) {
    const lines: string[] = []
    const log = createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
    const mail = createMail({ smtpUrl, mailFrom: undefined, dataDir: '/nowhere', log })
    onTestFinished(() => mail.close())
    const scheduler = new Scheduler({ db, node: smtpUrl, log, now: () => now })
    onTestFinished(() => scheduler.stop())
    const secrets = new Secrets(['a secret of at least thirty-two characters'])
    const post = postAsJobs({ scheduler, secrets, mail, publicUrl, log, now: () => now })
    return { scheduler, mails: createAuthMails({ publicUrl, post, now: () => now }), logs: () => lines.join('') }
  }

  const rows = () => db.select().from(jobs)
  const afterAttempt = (attempts: number) =>
    expect.poll(async () => (await rows()).map((row) => [row.attempts, row.leasedBy])).toEqual([[attempts, null]])

  it('wait for a mail server that is away, sealed, and go once when it is back', async () => {
    const port = await freePort()
    const { scheduler, mails, logs } = aNode(`smtp://127.0.0.1:${port}`)
    scheduler.start()
    mails.resetPassword(to, { token: 'the-token', redirectTo: `${publicUrl}/settings` })
    await afterAttempt(1)
    expect(JSON.stringify(await rows())).not.toMatch(/ana@|the-token|example\.org/)
    expect(logs()).toContain('a mail could not be sent')
    expect(logs()).not.toMatch(/ana@|the-token/)
    const receiver = await startMailReceiver({ port })
    onTestFinished(() => receiver.close())
    now += minuteMs / 2
    scheduler.wake()
    expect((await receiver.next(to.email)).text).toContain('the-token')
    await expect.poll(rows).toEqual([])
  })

  it('are sent by another node when theirs has ended', async () => {
    const { scheduler, mails } = aNode(`smtp://127.0.0.1:${await freePort()}`)
    mails.passwordChanged(to)
    await expect.poll(rows).toHaveLength(1)
    await scheduler.stop()
    const receiver = await startMailReceiver()
    onTestFinished(() => receiver.close())
    aNode(receiver.url).scheduler.start()
    expect((await receiver.next(to.email)).subject).toContain('Parley')
    await expect.poll(rows).toEqual([])
  })

  it('are not sent when what they hold is of no use any more', async () => {
    const { scheduler, mails, logs } = aNode(`smtp://127.0.0.1:${await freePort()}`)
    scheduler.start()
    mails.resetPassword(to, { token: 'the-token', redirectTo: `${publicUrl}/settings` })
    await afterAttempt(1)
    now += 31 * minuteMs
    scheduler.wake()
    await expect.poll(rows).toEqual([])
    expect(logs()).toContain('a mail could not be sent before it was of no use any more')
  })
})
