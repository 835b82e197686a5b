import '../../i18n/later-texts'
import type { AgentFile } from '@parley/contract/agent-files'
import { errorText, isErrorCode } from '@parley/contract/errors'
import { RotateCcw, X } from 'lucide-react'
import { useAgentFile, useAgentFileActions } from '../../data/agents/agent-files'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { IconButton } from '../../ui/button'
import { FileIcon } from '../../ui/file-icon'
import { toast } from '../../ui/toast'
import styles from './knowledge-files.module.css'

/** A file with its state in words; removing one that is being read cancels that. */
export function KnowledgeFile({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t, language } = useTranslation()
  const { file, error } = useAgentFile(id)
  const { retry } = useAgentFileActions()
  const name = file?.name ?? t('agentEditor.files.file')
  const isGone = error?.status === 404
  const isFailed = isGone || file?.status === 'failed'
  const isReading = file?.status === 'queued' || file?.status === 'processing'
  const readAgain = (): Promise<void> =>
    retry(id).catch((problem: unknown) => toast.error(errorMessage(problem, language) ?? t('sources.contentFailed')))
  return (
    <li className={styles.file} data-failed={isFailed || undefined}>
      <FileIcon
        mediaType={file?.mediaType ?? ''}
        is={isFailed ? 'failed' : file?.status === 'processed' ? undefined : 'reading'}
      />
      <span className={styles.name} dir="auto" title={name}>
        {name}
      </span>
      <span className={styles.state} role="status">
        {isGone ? errorText('agent.file-gone', language) : file ? stateText(file, t, language) : t('sources.reading')}
      </span>
      <span className={styles.actions}>
        {file?.status === 'failed' && (
          <IconButton
            size="small"
            icon={RotateCcw}
            label={t('sources.retry', { name })}
            onClick={() => void readAgain()}
          />
        )}
        <IconButton
          size="small"
          icon={X}
          label={t(isReading ? 'sources.cancel' : 'sources.remove', { name })}
          onClick={onRemove}
        />
      </span>
    </li>
  )
}

function stateText({ status, progress, reason, pages }: AgentFile, t: Translate, language: string): string {
  switch (status) {
    case 'queued':
      return t('sources.queued')
    case 'processing':
      return progress?.unit === 'pages' && progress.of > 0
        ? t('sources.readingPage', { page: progress.done, pages: progress.of })
        : t('sources.reading')
    case 'processed':
      return pages
        ? t('sources.processedPages', { pages: t('sources.pages', { count: pages }) })
        : t('sources.processed')
    case 'failed': {
      const code = reason !== undefined && isErrorCode(reason) ? reason : 'source.unreadable'
      return t('sources.failed', { reason: errorText(code, language) })
    }
  }
}
