import '../../i18n/later-texts'
import { AppError, type ErrorCode, errorText } from '@parley/contract/errors'
import { type Payment, type PaymentMethod, purchaseAmount } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import { useEffect, useRef, useState } from 'react'
import { closeBuyCredits } from '../../data/payments/buy-credits-state'
import { goToCardPage } from '../../data/payments/card-page'
import { openPixPayment } from '../../data/payments/open-payment'
import { walletAnswer } from '../../data/payments/payment-wallet'
import { createPayment } from '../../data/payments/payments'
import { payWithToken, type TokenStep } from '../../data/payments/token-payment'
import type { Transfer } from '../../data/payments/token-transfers'
import { useUser } from '../../data/session/stored-session'
import { WalletMissingError } from '../../data/wallets/wallet-missing-error'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'
import { announceTransfers } from './transfer-toasts'

export type PurchaseProblem = { text: string; field: 'amount' | 'method' | 'form'; needsWallet?: boolean }
/** A transfer that was sent, and its purchase. */
export type PendingTransfer = { transfer: Transfer; aizAmount: string; amount: number }

type Purchase = { amount: number; method: PaymentMethod }
type PurchaseAttempt = Purchase & { key: string }

/** Starts purchases, one at a time. Each continues in the Pix dialog, on another page, or in `sent`. */
export function usePurchase() {
  const { t, language } = useTranslation()
  const user = useUser()
  const attempt = useRef<PurchaseAttempt>(undefined)
  const isRunning = useRef(false)
  const isClosed = useIsClosed()
  const [step, setStep] = useState<TokenStep | 'start'>()
  const [problem, setProblem] = useState<PurchaseProblem>()
  const [sent, setSent] = useState<PendingTransfer>()

  /**
   * The idempotency key: a retry of the same purchase reuses it, unless the first attempt may have been paid by now.
   */
  function keyOf({ amount, method }: Purchase): string {
    if (attempt.current?.amount !== amount || attempt.current.method !== method)
      attempt.current = { amount, method, key: uuidv7() }
    return attempt.current.key
  }

  /** Makes the next attempt a new purchase. */
  function forgetAttempt(): void {
    attempt.current = undefined
  }

  async function start(purchase: Purchase): Promise<Payment> {
    requireOpen()
    let payment = await createPayment({ ...purchase, key: keyOf(purchase) })
    if (payment.status === 'expired' || payment.status === 'failed' || endsSoon(payment)) {
      // The first attempt's payment has expired.
      forgetAttempt()
      payment = await createPayment({ ...purchase, key: keyOf(purchase) })
    }
    requireOpen()
    return payment
  }

  /** Throws if the dialog was closed meanwhile: then nothing more happens. */
  function requireOpen(): void {
    if (isClosed.current) throw new ClosedError()
  }

  async function pay(purchase: Purchase): Promise<void> {
    if (purchase.method === 'token') {
      if (!user) throw new AppError('unauthenticated')
      announceTransfers()
      const { transfer, aizAmount } = await payWithToken({
        user,
        start: () => start(purchase),
        onStep: setStep,
        onUnclear: forgetAttempt,
      })
      return setSent({ transfer, aizAmount, amount: purchase.amount })
    }
    const payment = await start(purchase)
    if (purchase.method === 'pix') {
      closeBuyCredits()
      return openPixPayment(payment)
    }
    if (!goToCardPage(payment.payment_url)) throw new AppError('payment.card-failed')
    // Stays busy until the other page is loaded.
    await new Promise(() => undefined)
  }

  async function buy(text: string, method: PaymentMethod | undefined): Promise<void> {
    if (isRunning.current) return
    const amount = Number(text)
    const invalid = problemOf({ amount, method }, { t, language })
    setProblem(invalid)
    if (invalid || method === undefined) return
    isRunning.current = true
    setStep('start')
    try {
      await pay({ amount, method })
    } catch (error) {
      if (error instanceof AppError && finalRefusals.includes(error.code)) forgetAttempt()
      if (!(error instanceof ClosedError)) setProblem(explain(error, method, { t, language }))
    } finally {
      isRunning.current = false
      setStep(undefined)
    }
  }

  return {
    buy: (text: string, method: PaymentMethod | undefined) => void buy(text, method),
    step,
    problem,
    forgetProblem: () => setProblem(undefined),
    sent,
  }
}

/**
 * The time that a wallet needs to confirm and a chain to include a transfer, by this device's clock: where that is
 * wrong, an extra payment is created.
 */
const leastTransferMs = 3 * 60_000

/** A transfer after the payment's expiry is not counted. */
const endsSoon = ({ token }: Payment): boolean =>
  token !== undefined && Date.parse(token.expires_at) - Date.now() < leastTransferMs

class ClosedError extends Error {}

function useIsClosed(): { readonly current: boolean } {
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  return isClosed
}

/** The server answers attempts with the same key the same way from now on. */
const finalRefusals: readonly ErrorCode[] = ['payment.pix-failed', 'payment.card-failed', 'payment.key-reused']

type Context = { t: Translate; language: string }

const enterKey = { pix: 'payments.enterPix', card: 'payments.enterCard', token: 'payments.enterToken' } as const

function problemOf(
  { amount, method }: { amount: number; method: PaymentMethod | undefined },
  { t, language }: Context,
): PurchaseProblem | undefined {
  if (method === undefined) return { field: 'method', text: t('payments.selectMethod') }
  if (!(amount > 0)) return { field: 'amount', text: t(enterKey[method]) }
  const entered = purchaseAmount(amount)
  return 'error' in entered ? { field: 'amount', text: errorText(entered.error, language) } : undefined
}

const failed = {
  pix: 'payment.pix-failed',
  card: 'payment.card-failed',
  token: 'payment.token-failed',
} as const satisfies Record<PaymentMethod, ErrorCode>
const ofAmount: readonly ErrorCode[] = ['payment.amount', 'payment.minimum', 'payment.maximum']

/** The text of an error, also announced to screen readers; undefined where the person cancelled. */
function explain(error: unknown, method: PaymentMethod, { t, language }: Context): PurchaseProblem | undefined {
  if (error instanceof WalletMissingError)
    return { field: 'form', text: t('payments.installMetaMask'), needsWallet: true }
  const answer = walletAnswer(error)
  if (answer === 'declined') return void toast.info(t('payments.declined'))
  if (answer === 'waiting') return { field: 'form', text: t('payments.walletWaiting') }
  const code = error instanceof AppError ? error.code : undefined
  if (code === 'payment.wrong-network' || code === 'payment.wrong-account')
    return { field: 'form', text: errorText(code, language) }
  if (code !== undefined && ofAmount.includes(code)) return { field: 'amount', text: errorText(code, language) }
  // The purchase has not failed: the next attempt continues it.
  if (code === 'payment.unclear') return { field: 'form', text: errorText(code, language) }
  toast.error(errorText(failed[method], language))
  const reason = code === undefined || code === 'unknown' ? undefined : errorText(code, language)
  return { field: 'form', text: reason ?? t('payments.tryAgain') }
}
