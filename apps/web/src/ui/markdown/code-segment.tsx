import { memo, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import code from './code-segment.module.css'
import { withMarks } from './hidden-characters'
import type { LineTokens } from './highlight-protocol'
import type { HighlightSession } from './highlight-session'
import styles from './markdown.module.css'

type CodeSegmentProps = { text: string; index: number; session: HighlightSession | undefined; isWindowed: boolean }

/** Some lines of code. In long code, colours are drawn only near the screen: they are most of the elements. */
export const CodeSegment = memo(function CodeSegment({ text, index, session, isWindowed }: CodeSegmentProps) {
  const ref = useRef<HTMLSpanElement>(null)
  const isNear = useIsNear(ref, isWindowed)
  const tokens = useSyncExternalStore(session?.subscribe ?? subscribeToNothing, () => session?.tokens(index))
  return (
    <span ref={ref} className={isWindowed ? code.windowedSegment : styles.segment}>
      {tokens && isNear ? coloured(text, tokens) : withMarks(text)}
    </span>
  )
})

const subscribeToNothing = () => () => undefined

const classes = [
  undefined,
  code.keyword,
  code.string,
  code.comment,
  code.number,
  code.name,
  code.type,
  code.added,
  code.removed,
]

function coloured(text: string, lines: readonly LineTokens[]): ReactNode[] {
  const result: ReactNode[] = []
  let from = 0
  for (const tokens of lines) {
    const lineEnd = text.indexOf('\n', from)
    const lineStop = lineEnd === -1 ? text.length : lineEnd
    for (let place = 0; place < tokens.length && from < lineStop; place += 2) {
      // A line that is cut on screen is shorter than its tokens.
      const part = text.slice(from, Math.min(from + (tokens[place] ?? 0), lineStop))
      const className = classes[tokens[place + 1] ?? 0]
      if (className) {
        result.push(
          <span key={from} className={className}>
            {withMarks(part)}
          </span>,
        )
      } else result.push(withMarks(part))
      from += part.length
    }
    // The rest of the line, and its end.
    const next = lineEnd === -1 ? text.length : lineEnd + 1
    if (next > from) result.push(withMarks(text.slice(from, next)))
    from = next
  }
  result.push(withMarks(text.slice(from)))
  return result
}

function useIsNear(ref: React.RefObject<HTMLElement | null>, isWindowed: boolean): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!isWindowed || !ref.current) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      rootMargin: '800px',
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref, isWindowed])
  return isNear || !isWindowed
}
