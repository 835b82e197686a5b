import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type { Email } from 'postal-mime'

export interface MailReceiver {
  /** For SMTP_URL. */
  readonly url: string
  readonly port: number
  /** How many arrived that nobody asked for yet. */
  readonly unread: number
  /** An address that it takes no mail for. */
  refused: string | undefined
  /** The next mail for an address that nobody asked for yet; waits for it. */
  next(to: string): Promise<Email>
  close(): Promise<void>
}

/** A mail server that delivers to the test. */
export async function startMailReceiver({ port = 0 } = {}): Promise<MailReceiver> {
  const arrived: { to: string[]; mail: Email }[] = []
  const waiting: { to: string; deliver: (mail: Email) => void }[] = []
  const hand = (): void => {
    for (const waiter of [...waiting]) {
      const index = arrived.findIndex(({ to }) => to.includes(waiter.to))
      const found = index < 0 ? undefined : arrived.splice(index, 1)[0]
      if (!found) continue
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.deliver(found.mail)
    }
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address: to }, _session, done) {
      done(to === receiver.refused ? Object.assign(new Error(`no mailbox ${to}`), { responseCode: 550 }) : undefined)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          arrived.push({ to: session.envelope.rcptTo.map(({ address }) => address.toLowerCase()), mail })
          done()
          hand()
        }, done)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server does not listen')
  const receiver: MailReceiver = {
    port: address.port,
    get unread() {
      return arrived.length
    },
    refused: undefined,
    url: `smtp://127.0.0.1:${address.port}`,
    next: (to) =>
      new Promise((deliver) => {
        waiting.push({ to: to.toLowerCase(), deliver })
        hand()
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return receiver
}
