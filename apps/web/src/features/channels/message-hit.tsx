import { Cloud, Lock } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import type { ListedHit } from '../../data/search/merge-hits'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { shortDate } from './hit-date'
import styles from './message-hit.module.css'

type Props = {
  entryId: string
  hit: ListedHit
  today: Date
  isCurrent: boolean
  isTabStop: boolean
  onSelect: () => void
}

/** A search hit: channel, date, and the passage with the matches highlighted. It links to the message. */
export const MessageHit = memo(function MessageHit({ entryId, hit, today, isCurrent, isTabStop, onSelect }: Props) {
  const { t, language } = useTranslation()
  const select = useSelectChannel()
  const { channelId, channelName, mId, datetime, passage, marks, source } = hit
  const isLocal = source === 'indexeddb'
  const Home = isLocal ? Lock : Cloud

  function open(event: MouseEvent) {
    // A modified click opens another tab, which shows the channel.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    select(channelId, { mId })
    onSelect()
  }

  return (
    <div className={styles.hit} data-entry-id={entryId}>
      <a
        href={`/app#${encodeURIComponent(channelId)}`}
        className={styles.link}
        aria-current={isCurrent || undefined}
        tabIndex={isTabStop ? 0 : -1}
        onClick={open}
      >
        <span className={styles.head}>
          <span
            className={styles.home}
            data-home={isLocal ? 'local' : 'cloud'}
            role="img"
            aria-label={t(isLocal ? 'channels.local' : 'channels.server')}
          >
            <Home aria-hidden="true" />
          </span>
          <span className={styles.name}>{channelName}</span>
          <time className={styles.date} dateTime={datetime}>
            {shortDate(datetime, today, language)}
          </time>
        </span>
        <span className={styles.passage} dir="auto">
          {partsOf(passage, marks).map(({ from, text, isMarked }) =>
            isMarked ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
          )}
        </span>
      </a>
    </div>
  )
})

type Part = { from: number; text: string; isMarked: boolean }

function partsOf(passage: string, marks: ListedHit['marks']): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const [from, to] of marks) {
    if (from > end) parts.push({ from: end, text: passage.slice(end, from), isMarked: false })
    parts.push({ from, text: passage.slice(from, to), isMarked: true })
    end = to
  }
  if (end < passage.length) parts.push({ from: end, text: passage.slice(end), isMarked: false })
  return parts
}
