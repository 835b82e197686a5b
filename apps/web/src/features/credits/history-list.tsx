import '../../i18n/later-texts'
import type { CreditMovement } from '@parley/contract/credits'
import { useHistory } from '../../data/credits/history'
import { useTranslation } from '../../i18n/interface-language'
import { exactDollars, movedDollars } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { ListCard, ListCardBody } from '../../ui/list-card'
import { LoadFailure } from '../../ui/load-failure'
import { Skeleton } from '../../ui/skeleton'
import styles from './history-list.module.css'

/** The credit movements, newest first. */
export function HistoryList() {
  const { t } = useTranslation()
  return (
    <ListCard title={t('billing.history')} text={t('billing.historyText')}>
      {(titleId) => <Movements titleId={titleId} />}
    </ListCard>
  )
}

function Movements({ titleId }: { titleId: string }) {
  const { t } = useTranslation()
  const { movements, error, isFetching, isFetchingMore, hasMore, fetchMore, refetch } = useHistory()
  if (!movements)
    return (
      <ListCardBody>
        {error ? (
          <LoadFailure
            text={t('billing.historyFailed')}
            retryLabel={t('billing.retry')}
            isBusy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton width="100%" height="132px" />
        )}
      </ListCardBody>
    )
  if (movements.length === 0)
    return (
      <ListCardBody>
        <p>{t('billing.noHistory')}</p>
      </ListCardBody>
    )
  return (
    <>
      <ul className={styles.rows} aria-labelledby={titleId}>
        {movements.map((movement) => (
          <Movement key={movement.id} movement={movement} />
        ))}
      </ul>
      {error && (
        <div className={styles.more}>
          <LoadFailure
            text={t('billing.historyFailed')}
            retryLabel={t('billing.retry')}
            isBusy={isFetching}
            onRetry={() => void (hasMore ? fetchMore() : refetch())}
          />
        </div>
      )}
      {hasMore && !error && (
        <div className={styles.more}>
          <Button size="small" busy={isFetchingMore} onClick={() => void fetchMore()}>
            {t('billing.showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

function Movement({
  movement: { kind, time, amount, balance, model, inputTokens, outputTokens },
}: {
  movement: CreditMovement
}) {
  const { t, language } = useTranslation()
  const tokens =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : t('billing.tokens', {
          input: inputTokens.toLocaleString(language),
          output: outputTokens.toLocaleString(language),
        })
  return (
    <li>
      <div className={styles.what}>
        <p className={styles.kind}>
          {t(kind === 'refund' && !amount.startsWith('-') ? 'billing.refundUndone' : `billing.${kind}`)}
          {model !== undefined && <span> {model}</span>}
        </p>
        <p className={styles.fine}>
          <time dateTime={time}>
            {new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))}
          </time>
          {tokens !== undefined && (
            <>
              <i aria-hidden="true"> · </i>
              <span>{tokens}</span>
            </>
          )}
        </p>
      </div>
      <div className={styles.moved}>
        <p className={styles.amount} data-in={!amount.startsWith('-') || undefined}>
          {movedDollars(amount, language)}
        </p>
        <p className={styles.fine}>{t('billing.balance', { amount: exactDollars(balance, language) })}</p>
      </div>
    </li>
  )
}
