import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { PaymentMethods } from './payment-methods'
import type { PaymentProgress } from './payment-progress'
import { findPaymentByProviderId, findPaymentOfMethod, isPaymentId } from './payment-store'

type Deps = { db: Db; methods: PaymentMethods; progress: PaymentProgress; log: FastifyBaseLogger }

/** How often the provider is asked again while refunds and disputes change the payment. */
const maxRounds = 5

/**
 * Asks the provider for a payment and applies its state. Throws ProviderError. The provider's account may have payments
 * that are not ours: those are skipped.
 */
export async function syncFromProvider(
  { db, methods, progress, log }: Deps,
  method: 'card' | 'pix',
  providerId: string,
): Promise<void> {
  // If the answer to its start was lost, a payment has no provider id yet: then only the provider's answer names it.
  let id: string | undefined
  for (let round = 0; round < maxRounds; round++) {
    const before = await (id === undefined
      ? findPaymentByProviderId(db, method, providerId)
      : findPaymentOfMethod(db, method, id))
    const state = await methods[method]?.provider.find(providerId)
    const row =
      state?.paymentId !== undefined && isPaymentId(state.paymentId)
        ? await findPaymentOfMethod(db, method, state.paymentId)
        : undefined
    if (!state || !row) return void log.info({ method }, 'a notification is about no payment of ours')
    if (row.providerId !== null && row.providerId !== providerId)
      return void log.error(
        { paymentId: row.id, method },
        'the provider has two payments for one order: nothing is granted',
      )
    if (await progress.applyProviderState(row.id, { ...state, providerId }, before)) return
    id = row.id
  }
  throw new Error('a payment goes back and forth faster than its provider can be asked')
}
