import '../../i18n/later-texts'
import type { AppError } from '@parley/contract/errors'
import type { ReactNode } from 'react'
import { closeAgentEditor } from '../../data/agents/agent-editor-state'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Skeleton } from '../../ui/skeleton'
import styles from './editor.module.css'

type Props = {
  title: string
  error: AppError | undefined
  onRetry: () => void
  footer?: ReactNode
  onClose?: () => void
}

/** Shown while an agent is fetched, or when that failed. */
export function AgentLoading({ title, error, onRetry, footer, onClose = closeAgentEditor }: Props) {
  const { t, language } = useTranslation()
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <div className={styles.editor}>
        {error ? (
          <div role="alert">
            <EmptyState
              title={errorMessage(error, language) ?? t('agentEditor.updateFailed')}
              action={<Button onClick={onRetry}>{t('agentEditor.retry')}</Button>}
            />
          </div>
        ) : (
          <div className={styles.loading} role="status" aria-label={t('agentEditor.loading')}>
            <div>
              <Skeleton width="84px" height="84px" />
              <Skeleton width="100%" height="42px" />
            </div>
            <Skeleton width="100%" height="92px" />
            <Skeleton width="100%" height="42px" />
            <Skeleton width="60%" height="38px" />
          </div>
        )}
      </div>
    </Dialog>
  )
}
