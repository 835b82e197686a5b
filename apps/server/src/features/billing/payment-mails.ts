import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { type Mail, withoutAddress } from '../../providers/mail'
import { payerOf } from '../auth/payer-service'
import { claimUnmailed, giveBackUnmailed, type UnmailedPayment } from './payment-mail-store'
import { paymentMail } from './payment-mail-texts'

type Deps = { db: Db; mail: Mail; publicUrl: string; supportEmail: string | undefined; log: FastifyBaseLogger; now: () => number }

const { mailAgainMs, mailForMs } = limits.payments

/** What a mail server says about one mail; the next one may go. */
const aboutOneMail = ['EENVELOPE', 'EMESSAGE']

/**
 * One mail about each payment that was credited. A payment is marked before its mail is sent, and unmarked when the mail is refused: so one of all nodes
 * sends it, and a process that dies in between loses that one mail instead of sending it twice.
 */
export class PaymentMails {
  private quietUntil = 0
  private isWanted = false
  private sending: Promise<void> | undefined

  constructor(private readonly deps: Deps) {}

  /** Nobody waits for it: a payment is complete without its mail. */
  sendSoon(): void {
    this.isWanted = true
    this.sending ??= this.sendWanted()
  }

  /** The end of what is being sent. */
  async ended(): Promise<void> {
    await this.sending
  }

  /** Sends what is due, one after the other. After a failure this node leaves the mail server alone for a while. */
  async sendDue(): Promise<void> {
    const { db, now } = this.deps
    if (now() < this.quietUntil) return
    const refused: string[] = []
    for (;;) {
      const payment = await claimUnmailed(db, new Date(now()), refused)
      if (!payment) return
      const failure = await this.tell(payment)
      if (failure === undefined) continue
      this.quietUntil = now() + mailAgainMs
      if (!aboutOneMail.includes(failure)) return
      refused.push(payment.id)
    }
  }

  private async sendWanted(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false
      await this.sendDue().catch((error: unknown) => this.deps.log.warn({ err: error }, 'looking for payments to tell about failed'))
    }
    this.sending = undefined
  }

  /** The code of what went wrong. Of an account that is gone, has no address or got its money back there is nobody to tell. */
  private async tell({ id, userId, amount, method, status, creditedAt }: UnmailedPayment): Promise<string | undefined> {
    if (userId === null || creditedAt === null || status !== 'completed') return undefined
    const { db, mail, publicUrl, log, now } = this.deps
    try {
      const { email, language } = await payerOf(db, userId)
      if (email === undefined) return undefined
      const content = paymentMail({ paymentId: id, amount, method, at: creditedAt }, language, this.deps)
      await mail.send({ to: email, messageId: `<payment-${id}@${new URL(publicUrl).hostname}>`, ...content })
      return undefined
    } catch (error) {
      const failure = { err: withoutAddress(error), mail: 'paymentReceived', paymentId: id }
      if (creditedAt.getTime() <= now() - mailForMs) log.error(failure, 'the mail of a payment could not be sent and is given up')
      else {
        log.warn(failure, 'the mail of a payment could not be sent and is tried again')
        await giveBackUnmailed(db, { userId, id })
      }
      return failure.err.code
    }
  }
}
