import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentStatus } from '@parley/contract/payments'

/** What somebody is to pay. `paymentId` is the provider's idempotency key as well: the same order twice is one. */
type Order = { paymentId: string; cents: bigint; email: string | undefined; expiresAt: Date }

/** Where it can be paid: on the provider's page, or by a code. */
type StartedPayment = { providerId: string; paymentUrl?: string; qrCode?: string }

/** What the provider itself says of a payment when it is asked: the only thing that is believed. */
export type ProviderPayment = {
  /** The order that it was made for, as the provider remembers it. */
  paymentId: string | undefined
  /** Completed: the money came, whatever went back since. */
  status: Exclude<PaymentStatus, 'refunded'>
  /** Cents of `currency`. */
  received: bigint
  /** How much of it went back and is not ours now: given back, or taken by a dispute that is not won. */
  returned: bigint
  currency: string
  /** Its id of the money. */
  transactionId?: string
}

/** A payment with the provider's id of it. */
export type ListedPayment = ProviderPayment & { providerId: string }

/** Signed by the provider. `locate` tells which of its payments it is about; undefined when about none. */
type Notice = { eventId: string; locate(): Promise<string | undefined> }

type NoticeCall = { raw: Buffer; headers: IncomingHttpHeaders; query: URLSearchParams }

/** Somebody else's service that takes money for us. */
export interface PaymentProvider {
  /** Throws ProviderError. */
  start(order: Order): Promise<StartedPayment>
  /** Undefined when it has no such payment. Throws ProviderError when it does not answer. */
  find(providerId: string): Promise<ProviderPayment | undefined>
  /** Those that were started since then, in any order; others than ours may be among them. Throws ProviderError. */
  list(since: Date): AsyncIterable<ListedPayment>
  /** Undefined when the provider did not sign it, or not lately. */
  readNotice(call: NoticeCall): Notice | undefined
}

const unclearStatuses = [408, 409, 425]

/** Why a provider did not do it, without anything that it quoted: its messages may hold keys and addresses. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  constructor(
    provider: string,
    readonly status: number | undefined,
    readonly code?: string,
  ) {
    super(`${provider} answered ${status ?? 'nothing'}${code === undefined ? '' : ` (${code})`}`)
  }

  /** The provider did not do it. After anything else (a timeout, a cut connection, an outage, the same call under way) it may have. */
  get isRefusal(): boolean {
    const { status, code } = this
    return status !== undefined && status >= 400 && status < 500 && !unclearStatuses.includes(status) && !/idempotency/i.test(code ?? '')
  }

  /** The same call is worth a second try at once: the first one is still under way, or the provider had an outage. */
  get isBusy(): boolean {
    return this.status !== undefined && (this.status === 409 || this.status >= 500)
  }
}
