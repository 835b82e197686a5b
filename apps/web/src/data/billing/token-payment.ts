import { AppError } from '@parley/contract/errors'
import type { Payment } from '@parley/contract/payments'
import type { User } from '@parley/contract/users'
import { chooseChain, connectPayer, sendTransfer, walletAnswer } from './payment-wallet'
import { refreshPayments } from './payments'
import { type Transfer, trackTransfer } from './token-transfers'

/** What the person's wallet is asked for. */
export type TokenStep = 'connect' | 'network' | 'confirm'

type Wish = {
  user: User
  /** Makes the payment, once the wallet can pay it. */
  start: () => Promise<Payment>
  onStep: (step: TokenStep | 'start') => void
  /** Nobody knows whether the wallet has sent the transfer: another one for the same payment would be lost. */
  onUnclear: () => void
}

/**
 * Has the wallet pay a payment with the token. Once that is sent the server is told of it until it has decided, whether or not anybody waits for it. Throws
 * WalletMissingError, AppError, or what the wallet says; the payment then stays open.
 */
export async function payWithToken({ user, start, onStep, onUnclear }: Wish): Promise<{ transfer: Transfer; aizAmount: string }> {
  onStep('connect')
  const payer = await connectPayer(user)
  onStep('start')
  const { id, token: quote } = await start()
  if (!quote) throw new AppError('payment.token-failed')
  onStep('network')
  await chooseChain(payer, quote)
  onStep('confirm')
  const hash = await sendTransfer(payer, quote).catch((error: unknown) => {
    if (walletAnswer(error) === undefined) onUnclear()
    throw error
  })
  const transfer = { paymentId: id, hash, chainId: quote.chainId, expiresAt: quote.expires_at }
  await trackTransfer(user.id, transfer)
  refreshPayments()
  return { transfer, aizAmount: quote.aizAmount }
}
