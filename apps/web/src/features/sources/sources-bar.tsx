import '../../i18n/later-texts'
import type { Source } from '@parley/contract/sources'
import { Clock, Files, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { retrySource } from '../../data/channels/source-actions'
import { useSources } from '../../data/channels/use-sources'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { sourceDialog } from './dialogs-state'
import { LinkOffer } from './link-offer'
import { SourceRow } from './source-row'
import { canRetry, isBeingRead, isFailed } from './source-state'
import styles from './sources-bar.module.css'
import { useReadAnnouncement } from './use-read-announcement'
import { roundedSeconds, useReadingTime } from './use-reading-time'

type Waiting = { onSendWithout: () => void; onCancel: () => void }
type Props = Waiting & {
  channelId: string
  /** Those that no question was asked with yet. */
  fresh: readonly Source[]
  /** A question waits for the sources that are being read, or for the person where one of them could not be. */
  wait: 'reading' | 'failed' | undefined
}

/** The sources of a chat above the text of its composer: the new ones, and how many others go along. */
export default function SourcesBar({ channelId, fresh, wait, ...waiting }: Props) {
  const { t } = useTranslation()
  const { sources, error } = useSources(channelId)
  const list = useRef<HTMLUListElement>(null)
  const isFresh = new Set(fresh.map(({ id }) => id))
  const shown = sources.filter((source) => isFresh.has(source.id) || source.status !== 'processed')
  const rest = sources.length - shown.length
  useLoadFailure(error !== undefined)
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
      {(sources.length > 0 || wait) && (
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
          {wait === 'reading' && <WaitLine reading={sources.filter(isBeingRead)} {...waiting} />}
          {wait === 'failed' && <FailureLine failed={fresh.filter(isFailed)} {...waiting} />}
        </section>
      )}
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </>
  )
}

function WaitLine({ reading, onSendWithout, onCancel }: { reading: readonly Source[] } & Waiting) {
  const { t } = useTranslation()
  const seconds = useReadingTime(reading)
  const [first] = reading
  const isOne = reading.length === 1
  // What is still being added has no name here yet.
  const wait = !first
    ? t('sources.waitAdding')
    : isOne
      ? t('sources.waitOne', { name: first.name })
      : t('sources.waitMany', { count: reading.length })
  return (
    <p className={styles.wait}>
      <Clock aria-hidden="true" />
      <span>{seconds === undefined ? wait : t('sources.waitTime', { wait, time: timeText(seconds, t) })}</span>
      <button type="button" className={styles.link} onClick={onSendWithout}>
        {t(isOne || !first ? 'sources.sendWithoutIt' : 'sources.sendWithoutThem')}
      </button>
      <button type="button" className={styles.link} onClick={onCancel}>
        {t('sources.waitCancel')}
      </button>
      {/* Without the time, which would be said again and again. */}
      <VisuallyHidden>
        <span role="status">{wait}</span>
      </VisuallyHidden>
    </p>
  )
}

/** A question waited for what could not be read; why, its row says. */
function FailureLine({ failed, onSendWithout, onCancel }: { failed: readonly Source[] } & Waiting) {
  const { t, language } = useTranslation()
  const [first] = failed
  if (!first) return null
  const isOne = failed.length === 1
  const retry = (): void => {
    for (const source of failed)
      retrySource(source).catch((error: unknown) =>
        toast.error(errorMessage(error, language) ?? t('sources.contentFailed')),
      )
  }
  return (
    <p className={styles.wait} data-failed="">
      <TriangleAlert aria-hidden="true" />
      <span role="status">
        {isOne ? t('sources.waitFailedOne', { name: first.name }) : t('sources.waitFailedMany')}
      </span>
      {failed.every(canRetry) && (
        <button type="button" className={styles.link} onClick={retry}>
          {t('sources.readAgain')}
        </button>
      )}
      <button type="button" className={styles.link} onClick={onSendWithout}>
        {t(isOne ? 'sources.sendWithoutIt' : 'sources.sendWithoutThem')}
      </button>
      <button type="button" className={styles.link} onClick={onCancel}>
        {t('sources.waitCancel')}
      </button>
    </p>
  )
}

function timeText(exact: number, t: Translate): string {
  const seconds = roundedSeconds(exact)
  return seconds < 60 ? t('sources.seconds', { seconds }) : t('sources.minutes', { minutes: Math.ceil(seconds / 60) })
}

function useLoadFailure(isFailed: boolean): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (isFailed) toast.error(t('sources.loadFailed'))
  }, [isFailed, t])
}
