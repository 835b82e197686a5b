import type { Message } from '@parley/contract/chat'
import type { SourcePart } from '@parley/contract/parts'
import { createContext, memo, type ReactNode, Suspense, use, useLayoutEffect, useMemo, useState } from 'react'
import { type LiveAnswer, useLiveAnswer } from '../../data/chat/live-chat'
import { sourcesOfMessage } from '../../lib/message-sources'
import { lazyExtra } from '../../ui/lazy-part'
import { DrawCitation } from '../../ui/markdown/citation'
import { Markdown } from '../../ui/markdown/later-markdown'
import { RegionBoundary } from '../../ui/region-boundary'
import styles from './message.module.css'

/**
 * The text shown while the renderer loads is limited: a browser takes a minute to lay out a word of a million letters.
 */
const firstGlance = 4_000

const Thinking = lazyExtra(() => import('./thinking'))
const AnswerSources = lazyExtra(() => import('./answer-sources'))
const CitationChip = lazyExtra(() => import('./citation-chip'))

type Props = {
  message: Message
  /** The text is that of the live answer. */
  isLive: boolean
  isWriting: boolean
  isWaiting: boolean
  /** The model thinks now. */
  isThinking: boolean
}

/** Called when a live text has grown in the page, before that is painted. It stays the same function. */
export const OnGrowth = createContext<() => void>(() => undefined)

/** What an answer says, after what was thought and before what it cites: all that re-renders while it grows. */
export const AnswerText = memo(function AnswerText({ message: stored, isLive, ...state }: Props) {
  const live = useLiveAnswer(isLive ? stored.mId : undefined)
  const message = isLive ? withLiveText(stored, live) : stored
  const { content } = message.chat_response
  const onGrowth = use(OnGrowth)
  useLayoutEffect(() => {
    if (isLive && content !== '') onGrowth()
  }, [isLive, content, onGrowth])
  return (
    <RegionBoundary resetKey={content}>
      <Said message={message} {...state} />
    </RegionBoundary>
  )
})

/** A message with the text and the thinking of its live answer. */
export function withLiveText(message: Message, live: LiveAnswer | undefined): Message {
  if (!live) return message
  const { reasoning: _stored, ...rest } = message
  return {
    ...{ ...rest, chat_response: { role: 'assistant', content: live.content } },
    ...(live.reasoning ? { reasoning: live.reasoning } : {}),
  }
}

function Said({ message, isWriting, isWaiting, isThinking }: Omit<Props, 'isLive'>) {
  const { content } = message.chat_response
  const { read, sources: latest } = sourcesOfMessage(message)
  const sources = useSameWhileEqual(latest)
  const drawCitation = useDrawCitation(message, sources)
  const isOnlyThought = isThinking && message.reasoning !== undefined && content === ''
  return (
    <>
      {message.reasoning && (
        <Suspense fallback={<div className={styles.thinking} />}>
          <Thinking reasoning={message.reasoning} isLive={isThinking} />
        </Suspense>
      )}
      <div data-answer-text="">
        {(content !== '' || isWriting) && (
          <Suspense fallback={<p className={styles.plain}>{content.slice(0, firstGlance)}</p>}>
            <DrawCitation value={drawCitation}>
              <Markdown text={content} streaming={isWriting && !isWaiting && !isOnlyThought} />
            </DrawCitation>
          </Suspense>
        )}
      </div>
      <Suspense>
        {(read.length > 0 || sources.length > 0) && (
          <AnswerSources channelId={message.channelId} mId={message.mId} citations={sources} read={read} />
        )}
      </Suspense>
    </>
  )
}

/** The same list while it holds the same: that of an answer that grows is another one with each word. */
function useSameWhileEqual<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list)
  const isSame = kept.length === list.length && kept.every((each, index) => each === list[index])
  if (!isSame) setKept(list)
  return isSame ? kept : list
}

/** Draws the numbers of the passages that this answer was given, and no other number. */
function useDrawCitation(
  { channelId, mId }: Message,
  sources: readonly SourcePart[],
): ((n: number) => ReactNode | undefined) | undefined {
  return useMemo(() => {
    if (sources.length === 0) return undefined
    const known = new Set(sources.map(({ n }) => n))
    return (n) =>
      known.has(n) ? (
        <Suspense fallback={`[${n}]`}>
          <CitationChip n={n} {...{ channelId, mId }} citations={sources} />
        </Suspense>
      ) : undefined
  }, [channelId, mId, sources])
}
