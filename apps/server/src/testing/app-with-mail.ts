import { onTestFinished } from 'vitest'
import { buildTestApp, type TestApp } from './build-test-app'
import { type MailReceiver, startMailReceiver } from './mail-receiver'
import { Client } from './person'

/** An app that sends its mails to a real mail server, without rate limits. */
export async function appWithMail(kind: 'pglite' | 'postgresql', env: Record<string, string> = {}, now?: () => number) {
  const mailbox = await startMailReceiver()
  onTestFinished(() => mailbox.close())
  const app = await buildTestApp({
    kind,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Parley <no-reply@parley.example>', RATE_LIMIT_SCALE: '0', ...env },
    ...(now ? { now } : {}),
  })
  return { app, mailbox }
}

/** The token that follows `{name}=` in a mail. */
export const tokenIn = (text: string | undefined, name: string): string =>
  new RegExp(`${name}=([\\w-]{43})`).exec(text ?? '')?.[1] ?? ''

/** The token of a reset link that was mailed to this address. */
export async function resetToken(app: TestApp, mailbox: MailReceiver, email: string): Promise<string> {
  await new Client(app).post('/api/auth/reset-password', { email })
  return tokenIn((await mailbox.next(email)).text, 'token')
}
