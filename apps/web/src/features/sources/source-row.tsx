import '../../i18n/later-texts'
import type { Source } from '@parley/contract/sources'
import { RotateCcw, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { canChangeSources } from '../../data/channels/capabilities'
import { cancelSource, removeSource, retrySource } from '../../data/channels/source-actions'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { IconButton } from '../../ui/button'
import { FileIcon } from '../../ui/file-icon'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'
import { canRetry, iconOf, isBeingRead, noticeTexts, stateText } from './source-state'
import styles from './sources-bar.module.css'

type Props = {
  source: Source
  /** The state stands under the name. */
  isStacked?: boolean
  onRemoved?: () => void
}

/** A source with its state in words, and what can be done about it. The Delete key removes it. */
export function SourceRow({ source, isStacked = false, onRemoved }: Props) {
  const { t, language } = useTranslation()
  const { name, status, progress } = source
  const orSay = (action: Promise<void>): Promise<void> =>
    action.catch((error: unknown) => toast.error(errorMessage(error, language) ?? t('sources.contentFailed')))
  const isReading = isBeingRead(source)
  const channel = useChannel(source.channelId)
  const canChange = !channel || canChangeSources(channel)
  const remove = (): void => {
    onRemoved?.()
    void orSay(removeSource(source))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || !canChange) return
    event.preventDefault()
    remove()
  }
  const state = [stateText(source, t, language), ...noticeTexts(source, t)].join(' · ')
  return (
    <li className={styles.row} data-status={status} data-stacked={isStacked || undefined} onKeyDown={onKeyDown}>
      <FileIcon mediaType={source.mediaType} is={iconOf(source)} />
      <span className={styles.name} dir="auto" title={name}>
        {name}
      </span>
      <span className={styles.state}>
        {isReading && progress && progress.of > 0 && (
          <Progress value={progress.done} max={progress.of} label={t('sources.progressOf', { name })} />
        )}
        <span>{state}</span>
      </span>
      {canChange && (
        <span className={styles.actions}>
          {canRetry(source) && (
            <IconButton
              label={t('sources.retry', { name })}
              icon={RotateCcw}
              size="small"
              onClick={() => void orSay(retrySource(source))}
            />
          )}
          {isReading ? (
            <IconButton
              label={t('sources.cancel', { name })}
              icon={X}
              size="small"
              onClick={() => void orSay(cancelSource(source))}
            />
          ) : (
            <IconButton label={t('sources.remove', { name })} icon={X} size="small" onClick={remove} />
          )}
        </span>
      )}
    </li>
  )
}
