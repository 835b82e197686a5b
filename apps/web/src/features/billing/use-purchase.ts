import '../../i18n/later-texts'
import { AppError, type ErrorCode, errorText } from '@parley/contract/errors'
import { type Payment, type PaymentMethod, purchaseAmount } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeBuyCredits } from '../../data/billing/buy-credits-state'
import { goToCardPage } from '../../data/billing/card-page'
import { openPixPayment } from '../../data/billing/open-payment'
import { walletAnswer } from '../../data/billing/payment-wallet'
import { createPayment } from '../../data/billing/payments'
import { payWithToken, type TokenStep } from '../../data/billing/token-payment'
import type { Transfer } from '../../data/billing/token-transfers'
import { useUser } from '../../data/session/stored-session'
import { WalletMissingError } from '../../data/session/wallets/wallet-missing-error'
import { toast } from '../../ui/toast'
import { tellOfTransfers } from './transfer-news'

export type PurchaseProblem = { text: string; place: 'amount' | 'method' | 'form'; needsWallet?: boolean }
/** A transfer that is on its way, and what for. */
export type SentTransfer = { transfer: Transfer; aizAmount: string; amount: number }

type Purchase = { amount: number; method: PaymentMethod }
type Wish = Purchase & { key: string }

/** Starts purchases, one at a time. What is shown of one afterwards is the Pix dialog, another page, or `sent`. */
export function usePurchase() {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const wish = useRef<Wish>(undefined)
  const isRunning = useRef(false)
  const isClosed = useIsClosed()
  const [step, setStep] = useState<TokenStep | 'start'>()
  const [problem, setProblem] = useState<PurchaseProblem>()
  const [sent, setSent] = useState<SentTransfer>()

  /** The same wish tried again is the same purchase, unless the first try may have paid it by now. */
  function keyOf({ amount, method }: Purchase): string {
    if (wish.current?.amount !== amount || wish.current.method !== method) wish.current = { amount, method, key: uuidv7() }
    return wish.current.key
  }

  /** The next try is another purchase. */
  function forgetWish(): void {
    wish.current = undefined
  }

  async function start(purchase: Purchase): Promise<Payment> {
    requireOpen()
    let payment = await createPayment({ ...purchase, key: keyOf(purchase) })
    if (payment.status === 'expired' || payment.status === 'failed' || endsSoon(payment)) {
      // Too much time has passed since the first try.
      forgetWish()
      payment = await createPayment({ ...purchase, key: keyOf(purchase) })
    }
    requireOpen()
    return payment
  }

  /** Whoever closed the dialog meanwhile is led nowhere and asked for nothing. */
  function requireOpen(): void {
    if (isClosed.current) throw new ClosedError()
  }

  async function pay(purchase: Purchase): Promise<void> {
    if (purchase.method === 'token') {
      if (!user) throw new AppError('unauthenticated')
      tellOfTransfers()
      const { transfer, aizAmount } = await payWithToken({ user, start: () => start(purchase), onStep: setStep, onUnclear: forgetWish })
      return setSent({ transfer, aizAmount, amount: purchase.amount })
    }
    const payment = await start(purchase)
    if (purchase.method === 'pix') {
      closeBuyCredits()
      return openPixPayment(payment)
    }
    if (!goToCardPage(payment.payment_url)) throw new AppError('payment.card-failed')
    // Until the other page is there, nothing more can be pressed.
    await new Promise(() => undefined)
  }

  async function buy(text: string, method: PaymentMethod | undefined): Promise<void> {
    if (isRunning.current) return
    const amount = Number(text)
    const invalid = problemOf({ amount, method }, { t, language: i18n.language })
    setProblem(invalid)
    if (invalid || method === undefined) return
    isRunning.current = true
    setStep('start')
    try {
      await pay({ amount, method })
    } catch (error) {
      if (error instanceof AppError && endsWish.includes(error.code)) forgetWish()
      if (!(error instanceof ClosedError)) setProblem(explain(error, method, { t, language: i18n.language }))
    } finally {
      isRunning.current = false
      setStep(undefined)
    }
  }

  return { buy: (text: string, method: PaymentMethod | undefined) => void buy(text, method), step, problem, forgetProblem: () => setProblem(undefined), sent }
}

/** What a wallet is to confirm and a chain to take within it. By this device's clock: where that is wrong, one payment more is made than needed. */
const leastTransferMs = 3 * 60_000

/** A transfer that comes after the end pays nothing. */
const endsSoon = ({ token }: Payment): boolean => token !== undefined && Date.parse(token.expires_at) - Date.now() < leastTransferMs

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

/** The server answers a try with the same key the same way from now on. */
const endsWish: readonly ErrorCode[] = ['payment.pix-failed', 'payment.card-failed', 'payment.key-reused']

type Context = { t: TFunction; language: string }

const enterKey = { pix: 'payments.enterPix', card: 'payments.enterCard', token: 'payments.enterToken' } as const

function problemOf({ amount, method }: { amount: number; method: PaymentMethod | undefined }, { t, language }: Context): PurchaseProblem | undefined {
  if (method === undefined) return { place: 'method', text: t('payments.selectMethod') }
  if (!(amount > 0)) return { place: 'amount', text: t(enterKey[method]) }
  const wish = purchaseAmount(amount)
  return 'error' in wish ? { place: 'amount', text: errorText(wish.error, language) } : undefined
}

const failed = { pix: 'payment.pix-failed', card: 'payment.card-failed', token: 'payment.token-failed' } as const satisfies Record<PaymentMethod, ErrorCode>
const ofAmount: readonly ErrorCode[] = ['payment.amount', 'payment.minimum', 'payment.maximum']

/** What is to be read in the dialog. That it failed is said aloud as well; undefined where the person did not want it after all. */
function explain(error: unknown, method: PaymentMethod, { t, language }: Context): PurchaseProblem | undefined {
  if (error instanceof WalletMissingError) return { place: 'form', text: t('payments.installMetaMask'), needsWallet: true }
  const answer = walletAnswer(error)
  if (answer === 'declined') return void toast.info(t('payments.declined'))
  if (answer === 'waiting') return { place: 'form', text: t('payments.walletWaiting') }
  const code = error instanceof AppError ? error.code : undefined
  if (code === 'payment.wrong-network' || code === 'payment.wrong-account') return { place: 'form', text: errorText(code, language) }
  if (code !== undefined && ofAmount.includes(code)) return { place: 'amount', text: errorText(code, language) }
  // It has not failed: the next try goes on with the same purchase.
  if (code === 'payment.unclear') return { place: 'form', text: errorText(code, language) }
  toast.error(errorText(failed[method], language))
  const reason = code === undefined || code === 'unknown' ? undefined : errorText(code, language)
  return { place: 'form', text: reason ?? t('payments.tryAgain') }
}
