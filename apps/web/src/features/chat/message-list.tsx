import type { Message } from '@parley/contract/chat'
import { ArrowDown } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Messages } from '../../data/channels/use-messages'
import { wasAskedHere } from '../../data/chat/asked-here'
import { useTranslation } from '../../i18n/interface-language'
import { followsEnd, hasScrolledUp, isFarFromEnd, restBelow, type ScrollPosition } from '../../lib/scroll-position'
import type { TargetMessage } from '../../lib/selected-channel'
import { IconButton } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { OnGrowth } from './answer-text'
import type { Arrival } from './arrivals'
import { onEdgeKey } from './edge-keys'
import { Exchange } from './exchange'
import styles from './message-list.module.css'
import { useGrewAtStart } from './use-grew-at-start'
import { type Goal, useJump } from './use-jump'
import { useKeptPlace } from './use-kept-place'
import { useQuestionKeys } from './use-question-keys'
import type { Reading } from './use-reading'
import { useSentToEnd } from './use-sent-to-end'
import { onVersionKey } from './version-keys'

// Loaded separately: the list does without them until they are there.
const NewBelow = lazyExtra(() => import('./new-below'))
const NewLine = lazyExtra(() => import('./new-line'))

type Props = Pick<Messages, 'messages' | 'hasOlder' | 'loadOlder' | 'hasNewer' | 'loadNewer' | 'showNewest'> & {
  target: TargetMessage | undefined
  reading: Reading
  /** Shown before the first message of the chat. */
  opening: ReactNode
}

/** Who has come within this distance of the lower edge of the list, in pixels, has not seen what begins there. */
const unseenPx = 60
/** Within this distance of either end of the loaded messages more are loaded. */
const morePx = 600

/**
 * The virtualised list of messages. It opens at the end, follows it only while the reader is there, and keeps its
 * position when older messages are loaded above. The last exchange is outside of the virtualised part, which would
 * otherwise scroll the reader along while it grows across its upper edge.
 */
export function MessageList({
  messages,
  hasOlder,
  loadOlder,
  hasNewer,
  loadNewer,
  showNewest,
  target,
  reading,
  opening,
}: Props) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<VirtualizerHandle>(null)
  const isAtEnd = useRef(!hasNewer)
  const seen = useRef<ScrollPosition>({ top: 0, height: 0, above: 0, view: 0 })
  const sentToEnd = useSentToEnd(scroller)
  const [isAway, setIsAway] = useState(false)
  const last = messages.at(-1)
  const lastId = last?.mId
  const [step, goTo] = useStep(target)
  const begin = hasOlder ? undefined : opening
  const shift = useGrewAtStart(messages[0]?.mId, messages.length)

  const leaveEnd = (): void => {
    isAtEnd.current = false
    sentToEnd.end()
  }
  const kept = useKeptPlace({ messages, scroller, content, virtualizer }, leaveEnd)
  const placeIn = ({ scrollTop: top, scrollHeight: height, clientHeight: view }: HTMLElement): ScrollPosition => ({
    ...{ top, height, view },
    // The virtualised part.
    above: content.current?.firstElementChild?.clientHeight ?? 0,
  })
  const { marked, isOnWay } = useJump(
    step,
    { messages, scroller, virtualizer },
    {
      onLeave: leaveEnd,
      onArrive: () => tellView(),
    },
  )
  const toEnd = (area: HTMLElement): void => {
    area.scrollTop = area.scrollHeight
    seen.current = placeIn(area)
  }
  const follow = (): void => {
    const area = scroller.current
    if (!area || !isAtEnd.current || kept.isHeld()) return
    // The reader has begun to go up, of which the event is still to come: an animated scroll would end elsewhere.
    if (sentToEnd.isOnWay() || !hasScrolledUp(seen.current, placeIn(area))) toEnd(area)
  }
  const tellView = (): void => {
    const area = scroller.current
    if (!area) return
    setIsAway(!isAtEnd.current && isFarFromEnd(placeIn(area)))
    if (!isOnWay())
      reading.onView({ isAtEnd: isAtEnd.current && !hasNewer, isSeen: (arrival) => isOnScreenIn(area, arrival) })
  }
  const onScroll = (): void => {
    const area = scroller.current
    if (!area) return
    kept.onScroll()
    const place = placeIn(area)
    isAtEnd.current = !hasNewer && (sentToEnd.isOnWay() || followsEnd(isAtEnd.current, seen.current, place))
    seen.current = place
    follow()
    tellView()
    if (area.scrollTop < morePx && hasOlder) loadOlder()
    if (restBelow(place) < morePx && hasNewer) loadNewer()
  }
  const toLatest = (): void => {
    if (hasNewer) {
      showNewest()
    } else {
      isAtEnd.current = true
      sentToEnd.begin()
      if (scroller.current && !kept.isHeld()) toEnd(scroller.current)
    }
  }

  const toFirst = (): void => {
    if (scroller.current) scroller.current.scrollTop = 0
    onScroll()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    onVersionKey(event)
    onEdgeKey(event, { Home: toFirst, End: toLatest })
  }

  // A question that was just asked here scrolls into view, wherever the reader is. What others ask does not, nor do
  // messages loaded below an older one.
  const wasCut = useRef(hasNewer)
  const isShown = useRef(false)
  const showLast = useEffectEvent(() => {
    if (!kept.isHeld()) {
      kept.release()
      const isWanted = !isShown.current || isAtEnd.current || (lastId !== undefined && wasAskedHere(lastId))
      if (!hasNewer && !wasCut.current && isWanted) toLatest()
    }
    isShown.current = true
    wasCut.current = hasNewer
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest message is the reason to go there
  useLayoutEffect(() => showLast(), [lastId, hasNewer])

  // A reader who waits at the end of the loaded messages causes no further scroll event.
  const loadOn = useEffectEvent(() => {
    const area = scroller.current
    if (area && area.scrollTop > 0 && hasNewer && area.scrollHeight - area.clientHeight - area.scrollTop < morePx)
      loadNewer()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are the reason to look again
  useEffect(() => loadOn(), [messages])

  const goToNew = (): void => {
    const first = reading.below[0]?.mId
    if (first === undefined) return
    if (messages.some(({ mId }) => mId === first)) {
      goTo(first)
    } else {
      reading.wanted.current = first
      showNewest()
    }
  }
  const onMessages = useEffectEvent(() => {
    tellView()
    const { wanted } = reading
    if (wanted.current === undefined || hasNewer) return
    goTo(wanted.current)
    wanted.current = undefined
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are the reason to look again
  useEffect(() => onMessages(), [messages])
  useQuestionKeys({ messages, hasOlder, loadOlder, hasNewer, loadNewer, scroller, isAtEnd }, goTo)

  const onResize = (): void => {
    follow()
    tellView()
  }
  const latest = useRef({ follow, onResize })
  useEffect(() => {
    latest.current = { follow, onResize }
  })
  // Before the frame that shows it. The observer of sizes comes when that is laid out: the list would be scrolled for
  // the next frame, which has nothing else to show.
  const [onGrowth] = useState(() => () => latest.current.follow())
  useEffect(() => {
    if (!content.current || !scroller.current) return
    const observer = new ResizeObserver(() => latest.current.onResize())
    observer.observe(content.current)
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [])

  const { firstNew } = reading
  const isNew = ({ mId }: Message, part: Arrival['part']): boolean => firstNew?.mId === mId && firstNew.part === part
  const openingOf = (message: Message, isFirst: boolean): ReactNode => {
    if (!isNew(message, 'question')) return isFirst && begin
    return (
      <>
        {isFirst && begin}
        {newLine}
      </>
    )
  }
  const latestButton = <IconButton label={t('chat.toLatest')} icon={ArrowDown} onClick={toLatest} />

  return (
    <div className={styles.area}>
      <div
        ref={scroller}
        className={styles.list}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        role="log"
        aria-live="off"
        aria-label={t('chat.log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever reads with the keyboard has to be able to scroll it
        tabIndex={0}
      >
        <div ref={content}>
          <Virtualizer ref={virtualizer} scrollRef={scroller} shift={shift} bufferSize={600}>
            {messages.slice(0, -1).map((message, index) => (
              <Exchange
                key={message.mId}
                message={message}
                isLast={false}
                isMarked={message.mId === marked}
                opening={openingOf(message, index === 0)}
                answerOpening={isNew(message, 'answer') && newLine}
              />
            ))}
          </Virtualizer>
          {last ? (
            <OnGrowth value={onGrowth}>
              <Exchange
                key={last.mId}
                message={last}
                isLast={!hasNewer}
                isMarked={last.mId === marked}
                opening={openingOf(last, messages.length === 1)}
                answerOpening={isNew(last, 'answer') && newLine}
              />
            </OnGrowth>
          ) : (
            begin
          )}
        </div>
      </div>
      {(isAway || hasNewer) && (
        <div className={styles.latest}>
          <Suspense fallback={latestButton}>
            {reading.below.length === 0 ? latestButton : <NewBelow count={reading.below.length} onClick={goToNew} />}
          </Suspense>
        </div>
      )}
    </div>
  )
}

const newLine = (
  <Suspense>
    <NewLine />
  </Suspense>
)

/** Whether the list has been scrolled down to where this begins. */
function isOnScreenIn(area: HTMLElement, { mId, part }: Arrival): boolean {
  const exchange = area.querySelector(`[data-message-id="${CSS.escape(mId)}"]`)
  const element = part === 'answer' ? exchange?.querySelector('[data-answer]') : exchange
  return element ? element.getBoundingClientRect().top < area.getBoundingClientRect().bottom - unseenPx : false
}

/** Where a key or a button leads within the list, until a link leads to another message. */
function useStep(target: TargetMessage | undefined): [Goal | undefined, (mId: string) => void] {
  const [step, setStep] = useState<{ goal: Goal; after: TargetMessage | undefined }>()
  const goTo = (mId: string): void => setStep({ goal: { mId, visit: Date.now(), isAtTop: true }, after: target })
  return [step && step.after === target ? step.goal : target, goTo]
}
