import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { startMailReceiver } from '../testing/mail-receiver'
import { createMail, type Mail } from './mail'

const content = {
  subject: 'Olá, {nome} ✓',
  text: 'Ação: https://parley.example/app#confirmEmail=abc\n',
  html: '<p>Ação</p>',
}

function aMail(options: { smtpUrl?: string; mailFrom?: string } = {}): {
  mail: Mail
  folder: string
  logs: () => string
} {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'))
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const mail = createMail({ smtpUrl: options.smtpUrl, mailFrom: options.mailFrom, dataDir, log })
  onTestFinished(() => {
    mail.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { mail, folder: join(dataDir, 'mail'), logs: () => lines.join('') }
}

async function aReceiver() {
  const receiver = await startMailReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

/** The one mail in the outbox, as a mail program reads it. */
function onlyMailIn(folder: string) {
  const [file = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  return PostalMime.parse(readFileSync(join(folder, file)))
}

describe('a mail to a mail server', () => {
  it('arrives whole, in text and HTML, from the sender of this server', async () => {
    const receiver = await aReceiver()
    const { mail } = aMail({ smtpUrl: receiver.url, mailFrom: 'Parley <no-reply@parley.example>' })
    await mail.send({ to: 'ana@example.org', ...content })
    const read = await receiver.next('ana@example.org')
    expect(read).toMatchObject({
      subject: content.subject,
      from: { name: 'Parley', address: 'no-reply@parley.example' },
    })
    expect(read.to).toMatchObject([{ address: 'ana@example.org' }])
    expect(read.text?.trim()).toBe(content.text.trim())
    expect(read.html?.trim()).toBe(content.html)
  })

  it('goes to its one reader, many at a time', async () => {
    const receiver = await aReceiver()
    const { mail } = aMail({ smtpUrl: receiver.url })
    const people = Array.from({ length: 20 }, (_, n) => `p${n}@example.org`)
    await Promise.all(people.map((to) => mail.send({ ...content, to, subject: `For ${to}` })))
    const subjects = await Promise.all(people.map(async (to) => (await receiver.next(to)).subject))
    expect(subjects).toEqual(people.map((to) => `For ${to}`))
  })

  it('that refuses it, or is not there, is an error to the caller', async () => {
    const { mail } = aMail({ smtpUrl: 'smtp://127.0.0.1:1' })
    await expect(mail.send({ to: 'ana@example.org', ...content })).rejects.toMatchObject({ code: 'ESOCKET' })
    const receiver = await aReceiver()
    const { mail: refused } = aMail({ smtpUrl: receiver.url })
    await expect(refused.send({ to: 'no address', ...content })).rejects.toMatchObject({ code: 'EENVELOPE' })
  })

  it('leaves no address and no content in the log', async () => {
    const receiver = await aReceiver()
    const { mail, logs } = aMail({ smtpUrl: receiver.url })
    await mail.send({ to: 'ana@example.org', ...content })
    expect(logs()).toBe('')
  })
})

describe('without a mail server', () => {
  it('a mail is a file that any mail program opens, for its owner only', async () => {
    const { mail, folder } = aMail()
    await mail.send({ to: 'ana@example.org', ...content })
    const read = await onlyMailIn(folder)
    expect(read).toMatchObject({ subject: content.subject, to: [{ address: 'ana@example.org' }] })
    expect(read.text?.trim()).toBe(content.text.trim())
    expect(read.html?.trim()).toBe(content.html)
    const [file = ''] = readdirSync(folder)
    expect(file).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z-[0-9a-f]{8}\.eml$/)
    if (process.platform === 'win32') return
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  })

  it('the log names the file and nothing else of the mail', async () => {
    const { mail, folder, logs } = aMail()
    await mail.send({ to: 'ana@example.org', ...content })
    const [file = ''] = readdirSync(folder)
    expect(logs().trim().split('\n')).toHaveLength(1)
    expect(logs()).toContain(file)
    for (const word of ['ana@example.org', 'confirmEmail', content.subject, folder])
      expect(logs(), word).not.toContain(word)
  })
})

describe.each(['a mail server', 'the outbox'])('through %s', (way) => {
  /** The mail as it went out, read back. */
  async function sent(to: string, subject: string) {
    if (way === 'the outbox') {
      const { mail, folder } = aMail()
      await mail.send({ ...content, to, subject })
      return onlyMailIn(folder)
    }
    const receiver = await aReceiver()
    const { mail } = aMail({ smtpUrl: receiver.url })
    await mail.send({ ...content, to, subject })
    return receiver.next('ana@example.org')
  }

  it('no line break adds a header, a reader or a body', async () => {
    const read = await sent('ana@example.org', 'Hello\r\nBcc: eve@example.org\nX-Evil: 1\r\n\r\nnew body')
    const names = read.headers.map(({ key }) => key)
    expect(names).not.toContain('bcc')
    expect(names).not.toContain('x-evil')
    expect(read.subject).toMatch(/^Hello\s+Bcc: eve@example\.org\s+X-Evil: 1\s+new body$/)
    expect(read.text).not.toContain('new body')
  })
})

describe('an address', () => {
  it.each([
    'x,eve@example.org',
    'x;eve@example.org',
    'x:eve@example.org',
    'x<eve@example.org>',
    '<eve@example.org',
    'eve@example.org>',
    'ana@example.org, eve@example.org',
    'ana@example.org\r\nBcc: eve@example.org',
  ])('such as %j is not read as that of somebody else', async (to) => {
    const receiver = await aReceiver()
    const { mail } = aMail({ smtpUrl: receiver.url })
    // A server may take it as the odd address that it is, or refuse it.
    await mail.send({ ...content, to }).catch((error: unknown) => expect(error).toMatchObject({ code: 'EENVELOPE' }))
    await mail.send({ ...content, to: 'eve@example.org', subject: 'the first one for Eve' })
    expect((await receiver.next('eve@example.org')).subject).toBe('the first one for Eve')
  })
})
