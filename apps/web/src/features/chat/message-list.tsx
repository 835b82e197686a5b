import type { Message } from '@parley/contract/chat'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { WantedMessage } from '../../lib/selected-channel'
import { IconButton } from '../../ui/button'
import { Exchange } from './exchange'
import styles from './message-list.module.css'
import { useJump } from './use-jump'

type Props = { messages: Message[]; hasOlder: boolean; loadOlder: () => void; wanted: WantedMessage | undefined }

/** Nearer to the end than this the reader is at the end, and the list follows what is written. */
const endPx = 60
const olderPx = 600

/**
 * Draws what is in sight. Opens at the end, follows it only while the reader is there, and keeps its place when older messages come in above.
 * The last exchange stands outside the virtualised part: that one would move the reader along with everything that grows across its upper edge.
 */
export function MessageList({ messages, hasOlder, loadOlder, wanted }: Props) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<VirtualizerHandle>(null)
  const isAtEnd = useRef(true)
  const seen = useRef({ top: 0, height: 0 })
  const [isAway, setIsAway] = useState(false)
  const last = messages.at(-1)
  const lastId = last?.mId
  const shift = useGrewAtStart(messages[0]?.mId)

  const follow = (): void => {
    const area = scroller.current
    if (!area || !isAtEnd.current) return
    area.scrollTop = area.scrollHeight
    seen.current = { top: area.scrollTop, height: area.scrollHeight }
  }
  const onScroll = (): void => {
    const area = scroller.current
    if (!area) return
    const { scrollTop: top, scrollHeight: height } = area
    // Only a reader goes up in a list that has not become shorter. Whatever was written since the last step down is no reason to stop following.
    if (height - area.clientHeight - top < endPx) isAtEnd.current = true
    else if (top < seen.current.top - 1 && height >= seen.current.height) isAtEnd.current = false
    seen.current = { top, height }
    follow()
    setIsAway(!isAtEnd.current)
    if (area.scrollTop < olderPx && hasOlder) loadOlder()
  }
  const toLatest = (): void => {
    isAtEnd.current = true
    follow()
  }

  // A question that was just asked is what the reader wants to see, wherever they were.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest message is the reason to go there
  useLayoutEffect(toLatest, [lastId])

  const marked = useJump(wanted, { messages, scroller, virtualizer }, () => {
    isAtEnd.current = false
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: follow reads nothing but refs
  useEffect(() => {
    if (!content.current || !scroller.current) return
    const observer = new ResizeObserver(follow)
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
            {messages.slice(0, -1).map((message) => (
              <Exchange key={message.mId} message={message} isLast={false} isMarked={message.mId === marked} />
            ))}
          </Virtualizer>
          {last && <Exchange key={last.mId} message={last} isLast isMarked={last.mId === marked} />}
        </div>
      </div>
      {isAway && (
        <div className={styles.latest}>
          <IconButton label={t('chat.toLatest')} icon={ArrowDown} onClick={toLatest} />
        </div>
      )}
    </div>
  )
}

/** True in the very render in which items were added before the first one. */
function useGrewAtStart(firstId: string | undefined): boolean {
  const [known, setKnown] = useState({ firstId, grew: false })
  if (known.firstId !== firstId) {
    const next = { firstId, grew: known.firstId !== undefined }
    setKnown(next)
    return next.grew
  }
  return known.grew
}
