import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { type Mail, withoutAddress } from '../../providers/mail'
import { payerOf } from '../auth/public/payer'
import { claimUnmailed, type MailedPayment, releaseUnmailed } from './payment-mail-store'
import { paymentMail } from './payment-mail-texts'

type Deps = {
  db: Db
  mail: Mail
  publicUrl: string
  supportEmail: string | undefined
  log: FastifyBaseLogger
  now: () => number
}

const { mailAgainMs, mailForMs } = serverLimits.payments

/** Errors that concern one mail only: the next mail is sent without a pause. */
const errorsOfOneMail = ['EENVELOPE', 'EMESSAGE']

/**
 * Sends one mail for each credited payment. A payment is marked before its mail is sent and unmarked if that fails: one
 * of all nodes sends it, and a process that dies in between loses that mail rather than sending it twice.
 */
export class PaymentMails {
  private pausedUntil = 0
  private isRequested = false
  private sending: Promise<void> | undefined

  constructor(private readonly deps: Deps) {}

  /** Starts sending what is due, in the background: a payment is complete without its mail. */
  sendSoon(): void {
    this.isRequested = true
    this.sending ??= this.sendWhileRequested()
  }

  /** Resolves when nothing is being sent. */
  async ended(): Promise<void> {
    await this.sending
  }

  /** Sends all due mails, one after the other. After a failure of the mail server this node pauses. */
  async sendDue(): Promise<void> {
    const { db, now } = this.deps
    if (now() < this.pausedUntil) return
    const failed: string[] = []
    for (;;) {
      const payment = await claimUnmailed(db, new Date(now()), failed)
      if (!payment) return
      const errorCode = await this.send(payment)
      if (errorCode === undefined) continue
      this.pausedUntil = now() + mailAgainMs
      if (!errorsOfOneMail.includes(errorCode)) return
      failed.push(payment.id)
    }
  }

  private async sendWhileRequested(): Promise<void> {
    while (this.isRequested) {
      this.isRequested = false
      await this.sendDue().catch((error: unknown) =>
        this.deps.log.warn({ err: error }, 'looking for payments to tell about failed'),
      )
    }
    this.sending = undefined
  }

  /**
   * Returns the error code of a failure. No mail is sent if the account is deleted or has no address, or if the payment
   * was refunded.
   */
  private async send({ id, userId, amount, method, status, creditedAt }: MailedPayment): Promise<string | undefined> {
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
      if (creditedAt.getTime() <= now() - mailForMs)
        log.error(failure, 'the mail of a payment could not be sent and is given up')
      else {
        log.warn(failure, 'the mail of a payment could not be sent and is tried again')
        await releaseUnmailed(db, { userId, id })
      }
      return failure.err.code
    }
  }
}
