import '../../i18n/later-texts'
import { paymentNumber } from '@parley/contract/payment-number'
import type { Payment } from '@parley/contract/payments'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { usePayments } from '../../data/billing/payments'
import { paidDollars } from '../../lib/dollar-text'
import { Badge } from '../../ui/badge'
import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './billing.module.css'
import { InvoiceActions } from './invoice-actions'
import { invoiceDate } from './invoice-date'
import table from './invoices-list.module.css'
import { LoadFailure } from './load-failure'

/** What the person has paid, or wanted to pay, newest first. */
export function InvoicesList() {
  const { t } = useTranslation()
  const id = useId()
  const { data: payments, error, isFetching, refetch } = usePayments()
  return (
    <Card role="group" aria-labelledby={id} className={styles.list}>
      <div className={styles.head}>
        <h2 id={id}>{t('billing.invoices')}</h2>
      </div>
      {payments && payments.length > 0 ? (
        <Invoices payments={payments} titleId={id} />
      ) : (
        <div className={styles.body}>
          {payments ? (
            <p>{t('billing.noInvoices')}</p>
          ) : error ? (
            <LoadFailure text={t('billing.invoicesFailed')} isBusy={isFetching} onRetry={() => void refetch()} />
          ) : (
            <Skeleton width="100%" height="120px" />
          )}
        </div>
      )}
    </Card>
  )
}

function Invoices({ payments, titleId }: { payments: readonly Payment[]; titleId: string }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable
    <div className={table.scroller} role="group" aria-labelledby={titleId} tabIndex={0}>
      <table className={table.table} aria-labelledby={titleId}>
        <thead>
          <tr>
            <th scope="col">{t('billing.date')}</th>
            <th scope="col">{t('billing.method')}</th>
            <th scope="col" className={table.number}>
              {t('billing.amount')}
            </th>
            <th scope="col">{t('billing.status')}</th>
            <th scope="col">
              <VisuallyHidden>{t('billing.actions')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <Invoice key={payment.id} payment={payment} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const tones = { pending: 'plain', completed: 'good', failed: 'bad', expired: 'bad', refunded: 'bad' } as const

function Invoice({ payment }: { payment: Payment }) {
  const { t, i18n } = useTranslation()
  const { id, method, status, amount, created_at } = payment
  return (
    <tr>
      <td className={table.date}>
        <time dateTime={created_at}>{invoiceDate(created_at)}</time>
        <small className={table.id}>
          <VisuallyHidden>{t('billing.paymentNumber')} </VisuallyHidden>
          <span aria-hidden="true" title={t('billing.paymentNumber')}>
            {t('billing.numberMark')}
          </span>{' '}
          <code>{paymentNumber(id)}</code>
        </small>
      </td>
      <td className={table.method}>{t(`billing.methods.${method}`, method.replaceAll('_', ' '))}</td>
      <td className={table.number}>{paidDollars(amount, i18n.language)}</td>
      <td className={table.status}>
        <Badge tone={tones[status]}>{t(`billing.statuses.${status}`)}</Badge>
      </td>
      <td className={table.actions}>
        <InvoiceActions payment={payment} />
      </td>
    </tr>
  )
}
