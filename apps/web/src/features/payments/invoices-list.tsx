import '../../i18n/later-texts'
import { paymentNumber } from '@parley/contract/payment-number'
import type { Payment } from '@parley/contract/payments'
import { usePayments } from '../../data/payments/payments'
import { useTranslation } from '../../i18n/interface-language'
import { paidDollars } from '../../lib/dollar-text'
import { Badge } from '../../ui/badge'
import { ListCard, ListCardBody } from '../../ui/list-card'
import { LoadFailure } from '../../ui/load-failure'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { InvoiceActions } from './invoice-actions'
import { invoiceDate } from './invoice-date'
import styles from './invoices-list.module.css'

/** The person's payments, also unfinished ones, newest first. */
export function InvoicesList() {
  const { t } = useTranslation()
  const { data: payments, error, isFetching, refetch } = usePayments()
  return (
    <ListCard title={t('billing.invoices')}>
      {(titleId) =>
        payments && payments.length > 0 ? (
          <Invoices payments={payments} titleId={titleId} />
        ) : (
          <ListCardBody>
            {payments ? (
              <p>{t('billing.noInvoices')}</p>
            ) : error ? (
              <LoadFailure
                text={t('billing.invoicesFailed')}
                retryLabel={t('billing.retry')}
                isBusy={isFetching}
                onRetry={() => void refetch()}
              />
            ) : (
              <Skeleton width="100%" height="120px" />
            )}
          </ListCardBody>
        )
      }
    </ListCard>
  )
}

function Invoices({ payments, titleId }: { payments: readonly Payment[]; titleId: string }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable
    <div className={styles.scroller} role="group" aria-labelledby={titleId} tabIndex={0}>
      <table className={styles.table} aria-labelledby={titleId}>
        <thead>
          <tr>
            <th scope="col">{t('billing.date')}</th>
            <th scope="col">{t('billing.method')}</th>
            <th scope="col" className={styles.number}>
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
  const { t, language } = useTranslation()
  const { id, method, status, amount, created_at } = payment
  return (
    <tr>
      <td className={styles.date}>
        <time dateTime={created_at}>{invoiceDate(created_at)}</time>
        <small className={styles.id}>
          <VisuallyHidden>{t('billing.paymentNumber')} </VisuallyHidden>
          <span aria-hidden="true" title={t('billing.paymentNumber')}>
            {t('billing.numberMark')}
          </span>{' '}
          <code>{paymentNumber(id)}</code>
        </small>
      </td>
      <td className={styles.method}>{t(`billing.methods.${method}`)}</td>
      <td className={styles.number}>{paidDollars(amount, language)}</td>
      <td className={styles.status}>
        <Badge tone={tones[status]}>{t(`billing.statuses.${status}`)}</Badge>
      </td>
      <td className={styles.actions}>
        <InvoiceActions payment={payment} />
      </td>
    </tr>
  )
}
