import '../../i18n/later-texts'
import { type AppError, errorText } from '@parley/contract/errors'
import { Lock, SearchX, WifiOff } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Spinner } from '../../ui/spinner'
import styles from './agent-problem.module.css'

/** Covers the page while an agent of a shared link is fetched. */
export function LoadingAgent() {
  const { t } = useTranslation()
  return (
    <div className={styles.overlay} role="status">
      <p>
        <Spinner />
        {t('agents.loadingShared')}
      </p>
    </div>
  )
}

type Props = { error: AppError | undefined; isLoading: boolean; onRetry: () => void; onBack: () => void }

/** Explains why the agent of a link cannot be shown. */
export function AgentProblem({ error, isLoading, onRetry, onBack }: Props) {
  const { t, language } = useTranslation()
  const isPrivate = error?.code === 'agent.private'
  const isGone = !isPrivate && (error?.status === 404 || error?.status === 410)
  const Icon = isPrivate ? Lock : isGone ? SearchX : WifiOff
  const title = t(isPrivate ? 'agents.isPrivate' : isGone ? 'agents.notFound' : 'agents.unreachable')
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onBack}
      footer={
        <>
          {!isPrivate && !isGone && (
            <Button busy={isLoading} onClick={onRetry}>
              {t('agents.retry')}
            </Button>
          )}
          <Button data-autofocus="" variant="primary" onClick={onBack}>
            {t('agents.back')}
          </Button>
        </>
      }
    >
      <div className={styles.problem} role="alert">
        <Icon aria-hidden="true" />
        <p>
          {isPrivate
            ? t('agents.privateWhy')
            : isGone
              ? t('agents.notFoundWhy')
              : (errorMessage(error, language) ?? errorText('network', language))}
        </p>
      </div>
    </Dialog>
  )
}
