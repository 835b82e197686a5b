import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sessions, vaultKeys } from '../../db/schema/auth'
import { generations } from '../../db/schema/chat'
import { users } from '../../db/schema/users'
import { appWithMail, resetToken } from '../../testing/app-with-mail'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson, Client, goodPassword } from '../../testing/person'
import { databaseKind } from '../../testing/test-databases'

const email = 'ana@example.org'
const other = 'Another-Good-8'

describe.each(databases)('an account on %s', (kind) => {
  it('changes its name and its language [ST-024, ST-026]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    expect((await ana.post('/api/auth/update-profile', { name: '  Ana Souza ' })).body).toMatchObject({
      name: 'Ana Souza',
    })
    expect((await ana.post('/api/auth/update-profile', { name: '   ' })).status).toBe(400)
    expect((await ana.post('/api/auth/update-language', { language: 'pt-BR' })).body).toMatchObject({
      language: 'pt-BR',
      name: 'Ana Souza',
    })
    expect((await ana.post('/api/auth/update-language', { language: 'xx-XX' })).status).toBe(400)
  })

  it('is deleted by its owner alone, with everything of it [ST-198]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    await ana.login(email, goodPassword, { deviceId: uuidv7() })
    const eve = await aPerson(app, 'eve@example.org')
    const { id } = ana.answer.user
    expect(await eve.send('DELETE', '/api/user/account', { userId: id })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    expect((await new Client(app).send('DELETE', '/api/user/account', { userId: id })).status).toBe(401)
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
    expect((await ana.send('DELETE', '/api/user/account', { userId: id })).status).toBe(204)
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    for (const table of [sessions, vaultKeys])
      expect(await app.db.select().from(table).where(eq(table.userId, id))).toEqual([])
    expect(
      await app.db
        .select()
        .from(generations)
        .where(eq(generations.subject, `user:${id}`)),
    ).toEqual([])
    expect(await app.db.select({ email: users.email }).from(users)).toEqual([{ email: 'eve@example.org' }])
  })

  it('leaves no password, token or address in the logs', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    await ana.refresh()
    const token = await resetToken(app, mailbox, email)
    await new Client(app).post('/api/auth/confirm-reset-password', { token, newPassword: other })
    await new Client(app).post('/api/auth/login', { email, password: 'Wrong-Horse-7' })
    const secrets = [
      email,
      goodPassword,
      other,
      'Wrong-Horse-7',
      token,
      ana.answer.refresh_token,
      ana.answer.access_token,
      ana.answer.user.id,
    ]
    for (const secret of secrets) expect(app.logs().includes(secret), secret).toBe(false)
  })
})

describe.skipIf(databaseKind !== 'postgresql')('whether there is an account', () => {
  it('is not told by the time of an answer: a reset, a repeated link and a uniform sign-up are answered before anybody is looked up', async () => {
    const { app, mailbox } = await appWithMail(databaseKind, { AUTH_UNIFORM_ERRORS: 'true' })
    await aPerson(app, email).catch(() => undefined)
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`lock table users in access exclusive mode`)
      expect((await new Client(app).post('/api/auth/reset-password', { email })).status).toBe(200)
      expect((await new Client(app).post('/api/auth/resend-confirmation', { email })).status).toBe(202)
      expect((await new Client(app).signUp('new@example.org')).status).toBe(201)
    })
    await mailbox.next('new@example.org')
    // Both are sent after the answers, in whichever order.
    const texts = [(await mailbox.next(email)).text, (await mailbox.next(email)).text].join()
    expect(texts).toMatch(/#confirmEmail=/)
    expect(texts).toMatch(/#token=/)
  })
})

it('a mail that cannot be sent leaves its code in the log, and no address', async () => {
  const { app, mailbox } = await appWithMail(databaseKind, { REQUIRE_EMAIL_CONFIRMATION: 'true' })
  mailbox.refused = email
  await new Client(app).signUp(email)
  await expect.poll(() => app.logs()).toContain('a mail could not be sent')
  expect(app.logs()).toMatch(/"code":"EENVELOPE"/)
  expect(app.logs()).not.toContain(email)
})

describe('mails without a mail server', () => {
  it('lie in the data folder, and the log names the file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const app = await buildTestApp({ env: { DATA_DIR: dataDir } })
    await aPerson(app, email)
    await new Client(app).post('/api/auth/reset-password', { email })
    await expect.poll(() => app.logs()).toContain('.eml')
    const [file = ''] = readdirSync(`${dataDir}/mail`)
    expect(readFileSync(`${dataDir}/mail/${file}`, 'utf8')).toContain('reset-password')
  })
})
