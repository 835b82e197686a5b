import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import type { Source } from '@parley/contract/sources'
import { Files } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSources } from '../../data/channels/use-sources'
import { useModels } from '../../data/models/models-query'
import { useNamedDefault } from '../../data/models/named-default'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { sourceDialog } from './dialogs-state'
import { LinkOffer } from './link-offer'
import { SourceRow } from './source-row'
import styles from './sources-bar.module.css'
import { useReadAnnouncement } from './use-read-announcement'

type Props = {
  channelId: string
  /** Those that no question was asked with yet. */
  fresh: readonly Source[]
}

/** The sources of a chat above the text of its composer: the new ones, and how many others go along. */
export default function SourcesBar({ channelId, fresh }: Props) {
  const { t } = useTranslation()
  const { sources, error } = useSources(channelId)
  // How much of them a question carries depends on the model, whose facts a phone has not asked for yet.
  const models = useModels({ isEnabled: sources.length > 0, maxAgeMs: webLimits.models.cacheMs, retryOnMount: false })
  useNamedDefault(models)
  const list = useRef<HTMLUListElement>(null)
  const isFresh = new Set(fresh.map(({ id }) => id))
  const shown = sources.filter((source) => isFresh.has(source.id) || source.status !== 'processed')
  const rest = sources.length - shown.length
  // A locked vault says so itself.
  useLoadFailure(error !== undefined && !error.code.startsWith('vault.'))
  const announcement = useReadAnnouncement(sources)

  const focusNext = (index: number): void => {
    // The row goes away with its button.
    const items = list.current?.children
    const next = items?.[index + 1] ?? items?.[index - 1]
    const button = next && [...next.querySelectorAll('button')].at(-1)
    ;(button ?? document.querySelector<HTMLElement>('[data-composer]'))?.focus()
  }
  return (
    <>
      <LinkOffer channelId={channelId} />
      {sources.length > 0 && (
        <section className={styles.bar} aria-label={t('sources.bar')}>
          {shown.length > 0 && (
            <ul ref={list} className={styles.rows}>
              {shown.map((source, index) => (
                <SourceRow key={source.id} source={source} onRemoved={() => focusNext(index)} />
              ))}
            </ul>
          )}
          {rest > 0 && (
            <p className={styles.more}>
              <Files aria-hidden="true" />
              <span>{t(shown.length > 0 ? 'sources.more' : 'sources.inChat', { count: rest })}</span>
              <button type="button" className={styles.link} onClick={() => sourceDialog.open('manage', channelId)}>
                {t('sources.manage')}
              </button>
            </p>
          )}
        </section>
      )}
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </>
  )
}

function useLoadFailure(isFailed: boolean): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (isFailed) toast.error(t('sources.loadFailed'))
  }, [isFailed, t])
}
