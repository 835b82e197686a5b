import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentStatus } from '@parley/contract/payments'

/** What a person is to pay. `paymentId` is also the idempotency key: the provider creates each order once. */
type Order = { paymentId: string; cents: bigint; email: string | undefined; expiresAt: Date }

/** The provider's page or code by which the order can be paid. */
type StartedPayment = { providerId: string; paymentUrl?: string; qrCode?: string }

/** The state of a payment as the provider answers it: no other source is trusted. */
export type ProviderPayment = {
  /** Our id of the payment, as the provider has stored it. */
  paymentId: string | undefined
  /** Completed: the money was received, whatever was refunded since. */
  status: Exclude<PaymentStatus, 'refunded'>
  /** Cents of `currency`. */
  received: bigint
  /** How much of it is not ours now: refunded, or taken by a dispute that is open or lost. */
  refunded: bigint
  currency: string
  /** The provider's id of the money. */
  transactionId?: string
}

/** A payment with the provider's id of it. */
export type ListedPayment = ProviderPayment & { providerId: string }

/** A signed event. `findPayment` returns the provider's id of the payment it is about; undefined if about none. */
type WebhookEvent = { eventId: string; findPayment(): Promise<string | undefined> }

type WebhookRequest = { raw: Buffer; headers: IncomingHttpHeaders; query: URLSearchParams }

/** An outside service that receives money for us. */
export interface PaymentProvider {
  /** Throws ProviderError. */
  start(order: Order): Promise<StartedPayment>
  /** Undefined if it has no such payment. Throws ProviderError. */
  find(providerId: string): Promise<ProviderPayment | undefined>
  /** The payments that were started since then, in any order, some of them perhaps not ours. Throws ProviderError. */
  list(since: Date): AsyncIterable<ListedPayment>
  /** Undefined if the signature is invalid or too old. */
  readWebhook(request: WebhookRequest): WebhookEvent | undefined
}

const unclearStatuses = [408, 409, 425]

/** A failed call of a provider, without its messages: those may contain keys and addresses. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  constructor(
    provider: string,
    readonly status: number | undefined,
    readonly code?: string,
  ) {
    super(`${provider} answered ${status ?? 'nothing'}${code === undefined ? '' : ` (${code})`}`)
  }

  /**
   * The provider has certainly not done it. After any other failure (timeout, lost connection, outage, concurrent call
   * with the same key) it may have.
   */
  get isRefusal(): boolean {
    const { status, code } = this
    return (
      status !== undefined &&
      status >= 400 &&
      status < 500 &&
      !unclearStatuses.includes(status) &&
      !/idempotency/i.test(code ?? '')
    )
  }

  /** A retry may be successful: the first call is still running, or the provider had an outage. */
  get isBusy(): boolean {
    return this.status !== undefined && (this.status === 409 || this.status >= 500)
  }
}
