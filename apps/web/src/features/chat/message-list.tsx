import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Messages } from '../../data/channels/use-messages'
import type { WantedMessage } from '../../lib/selected-channel'
import { IconButton } from '../../ui/button'
import { Exchange } from './exchange'
import styles from './message-list.module.css'
import { type Place, wentUp } from './reader-place'
import { useJump } from './use-jump'

type Props = Pick<Messages, 'messages' | 'hasOlder' | 'loadOlder' | 'hasNewer' | 'loadNewer' | 'showNewest'> & {
  wanted: WantedMessage | undefined
  /** Stands before the first message of all. */
  opening: ReactNode
}

/** Nearer to the end than this the reader is at the end, and the list follows what is written. */
const endPx = 60
/** Nearer to either end of what is loaded than this, more is loaded. */
const morePx = 600

/**
 * Draws what is in sight. Opens at the end, follows it only while the reader is there, and keeps its place when older messages come in above.
 * The last exchange stands outside the virtualised part: that one would move the reader along with everything that grows across its upper edge.
 */
export function MessageList({ messages, hasOlder, loadOlder, hasNewer, loadNewer, showNewest, wanted, opening }: Props) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<VirtualizerHandle>(null)
  const isAtEnd = useRef(!hasNewer)
  const seen = useRef<Place>({ top: 0, height: 0, above: 0 })
  const [isAway, setIsAway] = useState(false)
  const last = messages.at(-1)
  const lastId = last?.mId
  const begin = hasOlder ? undefined : opening
  const shift = useGrewAtStart(messages[0]?.mId, messages.length)

  const placeIn = ({ scrollTop: top, scrollHeight: height }: HTMLElement): Place => ({
    ...{ top, height },
    // The virtualised part.
    above: content.current?.firstElementChild?.clientHeight ?? 0,
  })
  const follow = (): void => {
    const area = scroller.current
    if (!area || !isAtEnd.current) return
    area.scrollTop = area.scrollHeight
    seen.current = placeIn(area)
  }
  const onScroll = (): void => {
    const area = scroller.current
    if (!area) return
    const place = placeIn(area)
    const rest = place.height - area.clientHeight - place.top
    if (rest < endPx && !hasNewer) isAtEnd.current = true
    // Whatever was written since the last step down is no reason to stop following.
    else if (wentUp(seen.current, place)) isAtEnd.current = false
    seen.current = place
    follow()
    setIsAway(!isAtEnd.current)
    if (area.scrollTop < morePx && hasOlder) loadOlder()
    if (rest < morePx && hasNewer) loadNewer()
  }
  const toLatest = (): void => {
    if (hasNewer) {
      showNewest()
    } else {
      isAtEnd.current = true
      follow()
    }
  }

  // A question that was just asked is what the reader wants to see, wherever they were; what is loaded below an older one is not.
  const wasCut = useRef(hasNewer)
  const showLast = useEffectEvent(() => {
    if (!hasNewer && !wasCut.current) toLatest()
    wasCut.current = hasNewer
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest message is the reason to go there
  useLayoutEffect(() => showLast(), [lastId, hasNewer])

  // Whoever waits at the end of what is loaded does not scroll any more.
  const loadOn = useEffectEvent(() => {
    const area = scroller.current
    if (area && area.scrollTop > 0 && hasNewer && area.scrollHeight - area.clientHeight - area.scrollTop < morePx) loadNewer()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are the reason to look again
  useEffect(() => loadOn(), [messages])

  const marked = useJump(wanted, { messages, scroller, virtualizer }, () => {
    isAtEnd.current = false
  })

  const latestFollow = useRef(follow)
  useEffect(() => {
    latestFollow.current = follow
  })
  useEffect(() => {
    if (!content.current || !scroller.current) return
    const observer = new ResizeObserver(() => latestFollow.current())
    observer.observe(content.current)
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [])

  return (
    <div className={styles.area}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever reads with the keyboard has to be able to scroll it */}
      <div ref={scroller} className={styles.list} onScroll={onScroll} role="log" aria-live="off" aria-label={t('chat.log')} tabIndex={0}>
        <div ref={content}>
          <Virtualizer ref={virtualizer} scrollRef={scroller} shift={shift} bufferSize={600}>
            {messages.slice(0, -1).map((message, index) => (
              <Exchange key={message.mId} message={message} isLast={false} isMarked={message.mId === marked} opening={index === 0 && begin} />
            ))}
          </Virtualizer>
          {last ? <Exchange key={last.mId} message={last} isLast={!hasNewer} isMarked={last.mId === marked} opening={messages.length === 1 && begin} /> : begin}
        </div>
      </div>
      {(isAway || hasNewer) && (
        <div className={styles.latest}>
          <IconButton label={t('chat.toLatest')} icon={ArrowDown} onClick={toLatest} />
        </div>
      )}
    </div>
  )
}

/** True from the render in which items were added before the first one, until others are added or taken away. */
function useGrewAtStart(firstId: string | undefined, count: number): boolean {
  const [known, setKnown] = useState({ firstId, count, grew: false })
  if (known.firstId !== firstId || known.count !== count) {
    const next = { firstId, count, grew: known.firstId !== undefined && known.firstId !== firstId }
    setKnown(next)
    return next.grew
  }
  return known.grew
}
