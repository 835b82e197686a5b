import '../../i18n/later-texts'
import type { Source } from '@parley/contract/sources'
import { Clock, TriangleAlert } from 'lucide-react'
import { retrySource } from '../../data/channels/source-actions'
import { useSources } from '../../data/channels/use-sources'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { canRetry, isBeingRead, isFailed } from './source-state'
import styles from './sources-bar.module.css'
import { roundedSeconds, useReadingTime } from './use-reading-time'

type Ways = { onSendWithout: () => void; onCancel: () => void }
type Props = Ways & {
  channelId: string
  /** Those that no question was asked with yet. */
  fresh: readonly Source[]
  /** A question waits for the sources that are being read, or for the person where one of them could not be. */
  wait: 'reading' | 'failed'
}

/** Why a question is not sent yet, under its text, and each way out. */
export default function SourcesWait({ channelId, fresh, wait, ...ways }: Props) {
  const { sources } = useSources(channelId)
  return wait === 'reading' ? (
    <Reading reading={sources.filter(isBeingRead)} {...ways} />
  ) : (
    <Failed failed={fresh.filter(isFailed)} {...ways} />
  )
}

function Reading({ reading, onSendWithout, onCancel }: { reading: readonly Source[] } & Ways) {
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
      <span className={styles.ways}>
        <button type="button" className={styles.link} onClick={onCancel}>
          {t('sources.waitCancel')}
        </button>
        <button type="button" className={styles.link} onClick={onSendWithout}>
          {t(isOne || !first ? 'sources.sendWithoutIt' : 'sources.sendWithoutThem')}
        </button>
      </span>
      {/* Without the time, which would be said again and again. */}
      <VisuallyHidden>
        <span role="status">{wait}</span>
      </VisuallyHidden>
    </p>
  )
}

/** A question waited for what could not be read; why, its row says. */
function Failed({ failed, onSendWithout, onCancel }: { failed: readonly Source[] } & Ways) {
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
      <span className={styles.ways}>
        <button type="button" className={styles.link} onClick={onCancel}>
          {t('sources.waitCancel')}
        </button>
        {failed.every(canRetry) && (
          <button type="button" className={styles.link} onClick={retry}>
            {t('sources.readAgain')}
          </button>
        )}
        <button type="button" className={styles.link} onClick={onSendWithout}>
          {t(isOne ? 'sources.sendWithoutIt' : 'sources.sendWithoutThem')}
        </button>
      </span>
    </p>
  )
}

function timeText(exact: number, t: Translate): string {
  const seconds = roundedSeconds(exact)
  return seconds < 60 ? t('sources.seconds', { seconds }) : t('sources.minutes', { minutes: Math.ceil(seconds / 60) })
}
