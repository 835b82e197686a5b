import { AppError } from '@parley/contract/errors'
import type { Payment } from '@parley/contract/payments'
import type { User } from '@parley/contract/users'
import { chooseChain, connectPayer, sendTransfer, walletAnswer } from './payment-wallet'
import { refreshPayments } from './payments'
import { type Transfer, trackTransfer } from './token-transfers'

/** The steps that the wallet asks the person to confirm. */
export type TokenStep = 'connect' | 'network' | 'confirm'

type TokenPurchase = {
  user: User
  /** Creates the payment, once the wallet is connected. */
  start: () => Promise<Payment>
  onStep: (step: TokenStep | 'start') => void
  /**
   * Called when it is unknown whether the wallet sent the transfer: a second transfer for the same payment would be
   * lost.
   */
  onUnclear: () => void
}

/**
 * Pays with the token: the wallet sends the transfer, which is then reported to the server until that has decided, also
 * after this call. Throws WalletMissingError, AppError, or the wallet's own error; the payment then stays open.
 */
export async function payWithToken({
  user,
  start,
  onStep,
  onUnclear,
}: TokenPurchase): Promise<{ transfer: Transfer; aizAmount: string }> {
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
