import '../../i18n/later-texts'
import type { PaymentOffer } from '@parley/contract/config'
import type { PaymentMethod } from '@parley/contract/payments'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useConfig } from '../../data/config/use-config'
import { closeBuyCredits, useBuyCredits } from '../../data/payments/buy-credits-state'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Skeleton } from '../../ui/skeleton'
import { AmountField } from './amount-field'
import styles from './buy-credits.module.css'
import { MethodChoice } from './method-choice'
import { PurchaseQuote } from './purchase-quote'
import { TokenSent } from './token-sent'
import { startAmount } from './typed-amount'
import { type PurchaseProblem, usePurchase } from './use-purchase'

/** The purchase dialog: amount and method. The state says whether it is open, and with which amount. */
export default function BuyCreditsDialog() {
  const { t } = useTranslation()
  const config = useConfig()
  if (config?.payments && config.payments.methods.length > 0) return <Purchase offer={config.payments} />
  return (
    <Dialog
      title={t('payments.title')}
      size="small"
      onClose={closeBuyCredits}
      footer={
        <Button variant="quiet" onClick={closeBuyCredits}>
          {t('payments.close')}
        </Button>
      }
    >
      {config ? <EmptyState title={t('payments.notSold')} /> : <Loading />}
    </Dialog>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.form} role="status" aria-label={t('payments.loading')}>
      <Skeleton width="100%" height="64px" />
      <Skeleton width="100%" height="120px" />
    </div>
  )
}

const continueKey = {
  pix: 'payments.continuePix',
  card: 'payments.continueCard',
  token: 'payments.continueToken',
} as const
const stepKey = {
  connect: 'payments.stepConnect',
  network: 'payments.stepNetwork',
  confirm: 'payments.stepConfirm',
} as const

function Purchase({ offer }: { offer: PaymentOffer }) {
  const { t } = useTranslation()
  const formId = useId()
  const [text, setText] = useState(() => startAmount(useBuyCredits.getState().amount))
  const [method, setMethod] = useState<PaymentMethod | undefined>(
    offer.methods.length === 1 ? offer.methods[0] : undefined,
  )
  const { buy, step, problem, forgetProblem, sent } = usePurchase()
  useClosedOnReturn()
  if (sent) return <TokenSent sent={sent} onClose={closeBuyCredits} />

  function submit(event: FormEvent) {
    event.preventDefault()
    buy(text, method)
  }
  /** The person is correcting the error. */
  const changing =
    <T,>(change: (value: T) => void) =>
    (value: T): void => {
      forgetProblem()
      change(value)
    }
  const errorAt = (field: PurchaseProblem['field']) => (problem?.field === field ? problem.text : undefined)
  return (
    <Dialog
      title={t('payments.title')}
      size="small"
      isStatic={step !== undefined}
      onClose={closeBuyCredits}
      footer={
        <>
          <Button variant="quiet" onClick={closeBuyCredits}>
            {t('payments.cancel')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={step !== undefined}>
            {method ? t(continueKey[method]) : t('payments.continue')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <AmountField text={text} onChange={changing(setText)} offer={offer} error={errorAt('amount')} />
        <MethodChoice
          methods={offer.methods}
          chosen={method}
          onChange={changing(setMethod)}
          error={errorAt('method')}
        />
        <PurchaseQuote text={text} method={method} offer={offer} />
        {step !== undefined && step !== 'start' && (
          <p className={styles.step} role="status">
            {t(stepKey[step])}
          </p>
        )}
        {problem?.field === 'form' && <FormProblem {...problem} />}
      </form>
    </Dialog>
  )
}

function FormProblem({ text, needsWallet = false }: PurchaseProblem) {
  const { t } = useTranslation()
  return (
    <div className={styles.problem} role="alert">
      <p>{text}</p>
      {needsWallet && (
        <a href="https://metamask.io/download/" target="_blank" rel="noopener noreferrer">
          {t('payments.installLink')}
        </a>
      )}
    </div>
  )
}

/**
 * A person who returns from the card page by the browser's Back button gets this page from its cache, while it is still
 * navigating away.
 */
function useClosedOnReturn(): void {
  useEffect(() => {
    const close = (event: PageTransitionEvent): void => {
      if (event.persisted) closeBuyCredits()
    }
    addEventListener('pageshow', close)
    return () => removeEventListener('pageshow', close)
  }, [])
}
