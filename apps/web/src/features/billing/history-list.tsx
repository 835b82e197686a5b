import '../../i18n/later-texts'
import type { CreditMovement } from '@parley/contract/billing'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useHistory } from '../../data/billing/history'
import { exactDollars, movedDollars } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'
import styles from './billing.module.css'
import rows from './history-list.module.css'
import { LoadFailure } from './load-failure'

/** How the credits came and went, newest first. */
export function HistoryList() {
  const { t } = useTranslation()
  const id = useId()
  return (
    <Card role="group" aria-labelledby={id} className={styles.list}>
      <div className={styles.head}>
        <h2 id={id}>{t('billing.history')}</h2>
        <p>{t('billing.historyText')}</p>
      </div>
      <Movements titleId={id} />
    </Card>
  )
}

function Movements({ titleId }: { titleId: string }) {
  const { t } = useTranslation()
  const { movements, error, isFetching, isFetchingMore, hasMore, fetchMore, refetch } = useHistory()
  if (!movements)
    return (
      <div className={styles.body}>
        {error ? (
          <LoadFailure text={t('billing.historyFailed')} isBusy={isFetching} onRetry={() => void refetch()} />
        ) : (
          <Skeleton width="100%" height="132px" />
        )}
      </div>
    )
  if (movements.length === 0)
    return (
      <div className={styles.body}>
        <p>{t('billing.noHistory')}</p>
      </div>
    )
  return (
    <>
      <ul className={rows.rows} aria-labelledby={titleId}>
        {movements.map((movement) => (
          <Movement key={movement.id} movement={movement} />
        ))}
      </ul>
      {error && (
        <div className={rows.more}>
          <LoadFailure text={t('billing.historyFailed')} isBusy={isFetching} onRetry={() => void (hasMore ? fetchMore() : refetch())} />
        </div>
      )}
      {hasMore && !error && (
        <div className={rows.more}>
          <Button size="small" busy={isFetchingMore} onClick={() => void fetchMore()}>
            {t('billing.showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

function Movement({ movement: { kind, time, amount, balance, model, inputTokens, outputTokens } }: { movement: CreditMovement }) {
  const { t, i18n } = useTranslation()
  const tokens =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : t('billing.tokens', { input: inputTokens.toLocaleString(i18n.language), output: outputTokens.toLocaleString(i18n.language) })
  return (
    <li>
      <div className={rows.what}>
        <p className={rows.kind}>
          {t(kind === 'refund' && !amount.startsWith('-') ? 'billing.refundUndone' : `billing.${kind}`)}
          {model !== undefined && <span> {model}</span>}
        </p>
        <p className={rows.fine}>
          <time dateTime={time}>{new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))}</time>
          {tokens !== undefined && (
            <>
              <i aria-hidden="true"> · </i>
              <span>{tokens}</span>
            </>
          )}
        </p>
      </div>
      <div className={rows.moved}>
        <p className={rows.amount} data-in={!amount.startsWith('-') || undefined}>
          {movedDollars(amount, i18n.language)}
        </p>
        <p className={rows.fine}>{t('billing.balance', { amount: exactDollars(balance, i18n.language) })}</p>
      </div>
    </li>
  )
}
