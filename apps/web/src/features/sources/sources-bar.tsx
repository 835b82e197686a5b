import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import type { Source } from '@parley/contract/sources'
import { Clock, Files } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSources } from '../../data/channels/use-sources'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { sourceGates } from '../../lib/source-gate'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { sourceDialog } from './dialogs-state'
import { freshSources } from './fresh-sources'
import { LinkOffer } from './link-offer'
import { SourceRow } from './source-row'
import { isBeingRead } from './source-state'
import styles from './sources-bar.module.css'
import { useReadAnnouncement } from './use-read-announcement'
import { roundedSeconds, useReadingTime } from './use-reading-time'

type Props = {
  channelId: string
  said: readonly Message[]
  /** A question waits for the sources that are being read. */
  isWaiting: boolean
  onSendWithout: () => void
}

/** The sources of a chat above the text of its composer: the new ones, and how many others go along. */
export default function SourcesBar({ channelId, said, isWaiting, onSendWithout }: Props) {
  const { t } = useTranslation()
  const { sources, error } = useSources(channelId)
  const list = useRef<HTMLUListElement>(null)
  const fresh = freshSources(sources, said)
  const shown = sources.filter((source) => fresh.includes(source) || source.status !== 'processed')
  const rest = sources.length - shown.length
  useGate(channelId, sources, fresh)
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
          {isWaiting && <WaitLine reading={sources.filter(isBeingRead)} onSendWithout={onSendWithout} />}
        </section>
      )}
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </>
  )
}

function WaitLine({ reading, onSendWithout }: { reading: readonly Source[]; onSendWithout: () => void }) {
  const { t } = useTranslation()
  const seconds = useReadingTime(reading)
  const [first] = reading
  if (!first) return null
  const isOne = reading.length === 1
  const wait = isOne ? t('sources.waitOne', { name: first.name }) : t('sources.waitMany', { count: reading.length })
  return (
    <p className={styles.wait}>
      <Clock aria-hidden="true" />
      <span>{seconds === undefined ? wait : t('sources.waitTime', { wait, time: timeText(seconds, t) })}</span>
      <button type="button" className={styles.link} onClick={onSendWithout}>
        {t(isOne ? 'sources.sendWithoutIt' : 'sources.sendWithoutThem')}
      </button>
      {/* Without the time, which would be said again and again. */}
      <VisuallyHidden>
        <span role="status">{wait}</span>
      </VisuallyHidden>
    </p>
  )
}

function timeText(exact: number, t: Translate): string {
  const seconds = roundedSeconds(exact)
  return seconds < 60 ? t('sources.seconds', { seconds }) : t('sources.minutes', { minutes: Math.ceil(seconds / 60) })
}

/** Tells the composer, which sends no question before its sources are read. */
function useGate(channelId: string, sources: readonly Source[], fresh: readonly Source[]): void {
  useEffect(() => sourceGates.set(channelId, { fresh, isReading: sources.some(isBeingRead) }))
  useEffect(() => () => sourceGates.remove(channelId), [channelId])
}

function useLoadFailure(isFailed: boolean): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (isFailed) toast.error(t('sources.loadFailed'))
  }, [isFailed, t])
}
