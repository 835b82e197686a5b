import '../../i18n/later-texts'
import type { Reasoning } from '@parley/contract/chat'
import { ChevronRight } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { useFollowedEnd } from '../../lib/use-followed-end'
import { Spinner } from '../../ui/spinner'
import styles from './thinking.module.css'

type Props = {
  reasoning: Reasoning
  /** The model thinks now. */
  isLive: boolean
}

/** What a model thought before it answered: a line with its seconds, which unfolds to the plain text. */
export default function Thinking({ reasoning: { text, ms }, isLive }: Props) {
  const { t, language } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const liveMs = useLiveMs(ms, isLive)
  const id = useId()
  const seconds = new Intl.NumberFormat(language).format(Math.max(1, Math.round(liveMs / 1000)))
  return (
    <div data-thinking={isLive ? 'live' : 'over'}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isLive ? <Spinner /> : <ChevronRight className={styles.fold} size={14} aria-hidden="true" />}
        {t(isLive ? 'chat.thinking' : 'chat.thought', { seconds })}
      </button>
      {isOpen && <Thoughts id={id} text={text} isLive={isLive} />}
    </div>
  )
}

/** The time that has passed, which goes on between two frames. */
function useLiveMs(ms: number, isLive: boolean): number {
  const [since, setSince] = useState({ ms, passed: 0 })
  useEffect(() => {
    if (!isLive) return
    const at = performance.now()
    const timer = setInterval(() => setSince({ ms, passed: performance.now() - at }), 1_000)
    return () => clearInterval(timer)
  }, [ms, isLive])
  return isLive && since.ms === ms ? ms + since.passed : ms
}

/** At the end of what is thought now, as long as the reader is there. */
function Thoughts({ id, text, isLive }: { id: string; text: string; isLive: boolean }) {
  const { t } = useTranslation()
  const area = useRef<HTMLElement>(null)
  const onScroll = useFollowedEnd(area, isLive && text !== '' ? text : undefined)
  return (
    <section
      ref={area}
      id={id}
      className={styles.thoughts}
      aria-label={t('chat.thoughts')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever reads with the keyboard has to be able to scroll it
      tabIndex={0}
      dir="auto"
      onScroll={onScroll}
    >
      {paragraphsOf(text).map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs are only added at the end
        <Paragraph key={index} text={paragraph} />
      ))}
    </section>
  )
}

/** While text is added only the last one is rendered again. */
const Paragraph = memo(function Paragraph({ text }: { text: string }) {
  return <p>{text}</p>
})

/** No longer than a browser lays out at once: it needs a minute for a word of a million letters. */
function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => paragraph.trim().match(/[\s\S]{1,4000}/gu) ?? [])
}
