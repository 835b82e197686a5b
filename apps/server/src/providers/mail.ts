import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import nodemailer from 'nodemailer'

export type MailContent = { subject: string; text: string; html: string }

export interface Mail {
  /**
   * Resolves when the mail server has taken it, or it lies in the outbox folder. What is sent again under the same
   * `messageId`, because nobody knows whether it was taken, mailboxes show once.
   */
  send(mail: MailContent & { to: string; messageId?: string }): Promise<void>
  close(): void
}

type Options = { smtpUrl: string | undefined; mailFrom: string | undefined; dataDir: string; log: FastifyBaseLogger }

const defaultFrom = 'Parley <no-reply@localhost>'
const timeoutMs = 10_000

/** Mails through SMTP_URL; without one they are files in `DATA_DIR/mail`, which any mail program opens. */
export function createMail({ smtpUrl, mailFrom = defaultFrom, dataDir, log }: Options): Mail {
  if (smtpUrl !== undefined) {
    const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
    const { protocol, hostname, port, username, password } = new URL(smtpUrl)
    const transport = nodemailer.createTransport({
      host: hostname,
      port: Number(port || (protocol === 'smtps:' ? 465 : 587)),
      secure: protocol === 'smtps:',
      pool: true,
      ...times,
      ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    })
    return {
      async send(mail) {
        await transport.sendMail({ ...mail, from: mailFrom, to: oneReader(mail.to) })
      },
      close: () => transport.close(),
    }
  }
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const folder = join(dataDir, 'mail')
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ ...mail, from: mailFrom, to: oneReader(mail.to) })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`
      await writeFile(join(folder, file), message, { mode: 0o600, flag: 'wx' })
      log.info({ file }, 'a mail lies in the outbox folder: SMTP_URL is not set')
    },
    close: () => undefined,
  }
}

/** For the log: mail servers repeat the address in what they say. */
export function withoutAddress(error: unknown): Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const answer =
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? `, ${error.responseCode}`
      : ''
  return Object.assign(new Error(`the mail server refused it or was not reached${answer}`), { code })
}

/**
 * As text it would be read as a list, and brackets would be left out: `x,eve@example.org` and `<eve@example.org` are
 * not Eve's address.
 */
function oneReader(address: string): { name: string; address: string } {
  if (/[<>\p{Cc}]/u.test(address)) throw Object.assign(new Error('no address'), { code: 'EENVELOPE' })
  return { name: '', address }
}
