import '../../i18n/later-texts'
import type { Payment } from '@parley/contract/payments'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../data/config/use-config'
import { refreshCredits } from '../../data/credits/balance'
import { isCardPage } from '../../data/payments/card-page'
import { openPixPayment } from '../../data/payments/open-payment'
import { checkPix, explorerUrl, refreshPayments } from '../../data/payments/payments'
import { useTranslation } from '../../i18n/interface-language'
import { paidDollars } from '../../lib/dollar-text'
import { errorMessage } from '../../lib/error-message'
import { Spinner } from '../../ui/spinner'
import { toast } from '../../ui/toast'
import { invoiceDate } from './invoice-date'
import styles from './invoices-list.module.css'

/** The actions of a payment: continue it, check it, or view its transaction. */
export function InvoiceActions({ payment }: { payment: Payment }) {
  if (payment.method === 'token') return <Explorer payment={payment} />
  if (payment.status !== 'pending') return null
  return payment.method === 'pix' ? <PixActions payment={payment} /> : <ContinuePayment payment={payment} />
}

function PixActions({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const nameOf = useActionName(payment)
  const { isBusy, check } = useCheck(payment)
  return (
    <>
      {payment.pix && (
        <button
          type="button"
          className={styles.action}
          aria-label={nameOf(t('billing.showCode'))}
          onClick={() => openPixPayment(payment)}
        >
          {t('billing.showCode')}
        </button>
      )}
      <button
        type="button"
        className={styles.action}
        aria-label={nameOf(t('payments.checkStatus'))}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        onClick={() => void check()}
      >
        <span>{t('payments.checkStatus')}</span>
        {isBusy && <Spinner />}
      </button>
    </>
  )
}

/** Makes the server check the payment with the provider, whatever the list says. */
function useCheck({ id }: Payment) {
  const { t, language } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  async function check(): Promise<void> {
    if (isBusy) return
    setIsBusy(true)
    try {
      const { status } = await checkPix(id)
      refreshPayments()
      refreshCredits()
      if (status === 'completed') toast.success(t('payments.added'))
      else if (status === 'pending') toast.info(t('payments.stillPending'))
      else toast.error(t('billing.isOver', { status: t(`billing.statuses.${status}`) }))
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('payments.checkFailed'))
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, check }
}

function ContinuePayment({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const nameOf = useActionName(payment)
  const { payment_url } = payment
  if (payment_url === undefined || !isCardPage(payment_url)) return null
  const label = t('billing.continuePayment')
  return (
    <Link href={payment_url} name={nameOf(label)}>
      {label}
    </Link>
  )
}

function Explorer({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const nameOf = useActionName(payment)
  const chainId = useConfig()?.payments?.chainId
  const href = explorerUrl(payment, payment.token?.chainId ?? chainId)
  if (href === undefined) return null
  const label = t('billing.explorer')
  return (
    <Link href={href} name={nameOf(label)} isElsewhere>
      {label}
    </Link>
  )
}

function Link({
  href,
  name,
  isElsewhere = false,
  children,
}: {
  href: string
  name: string
  isElsewhere?: boolean
  children: ReactNode
}) {
  return (
    <a
      className={styles.action}
      href={href}
      aria-label={name}
      {...(isElsewhere ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {children}
    </a>
  )
}

/** Several payments have the same actions: the accessible name includes the payment. */
function useActionName({ amount, created_at }: Payment): (action: string) => string {
  const { t, language } = useTranslation()
  return (action) =>
    t('billing.actionOf', { action, amount: paidDollars(amount, language), date: invoiceDate(created_at) })
}
