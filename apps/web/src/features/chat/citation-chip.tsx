import '../../i18n/later-texts'
import type { SourcePart } from '@parley/contract/parts'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { openCitation, useOpenNumber } from '../../lib/open-citation'
import { placeOf } from '../../lib/source-place'
import { placeUnder } from '../../ui/popover-position'
import { tooltipDelayMs } from '../../ui/tooltip'
import styles from './citations.module.css'

type Cited = { channelId: string; mId: string; citations: readonly SourcePart[] }

/** The number of a passage in an answer: hover and focus show the passage, a click opens it beside the chat. */
export default function CitationChip({ n, ...answer }: Cited & { n: number }) {
  const { t } = useTranslation()
  const cardId = useId()
  const chip = useRef<HTMLSpanElement>(null)
  const isOpen = useOpenNumber(answer.mId) === n
  const [isShown, show, hide] = useShownSoon()
  const citation = answer.citations.find((part) => part.n === n)
  const open = (): void => {
    hide()
    openCitation.show({ ...answer, n })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a line may break before a real button, which would leave its word */}
      <span
        ref={chip}
        role="button"
        tabIndex={0}
        className={styles.chip}
        data-citation={n}
        data-open={isOpen || undefined}
        aria-label={t('sources.number', { n })}
        aria-describedby={isShown ? cardId : undefined}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && show()}
        onPointerLeave={hide}
        onFocus={({ target }) => target.matches(':focus-visible') && show()}
        onBlur={hide}
        onClick={open}
        onKeyDown={onKeyDown}
      >
        {/* Copied with a selection, so that a copied sentence still cites. */}
        <span className={styles.bracket}>[</span>
        {n}
        <span className={styles.bracket}>]</span>
      </span>
      {isShown && citation && <Card id={cardId} citation={citation} anchor={() => chip.current} />}
    </>
  )
}

function Card({ id, citation, anchor }: { id: string; citation: SourcePart; anchor: () => HTMLElement | null }) {
  const { t } = useTranslation()
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const card = ref.current
    const box = anchor()?.getBoundingClientRect()
    if (!card || !box) return
    // In the top layer nothing clips it and nothing makes room for it.
    card.showPopover()
    const size = { width: card.offsetWidth, height: card.offsetHeight }
    const place = placeUnder(box, size, { width: innerWidth, height: innerHeight }, 'start')
    card.style.left = `${place.left}px`
    card.style.top = `${place.top}px`
    return () => card.hidePopover()
  })
  const place = placeOf(citation, t)
  return (
    <span ref={ref} id={id} role="tooltip" popover="manual" className={styles.card}>
      <b dir="auto">{citation.title}</b>
      {place && <span className={styles.place}>{place}</span>}
      <span className={styles.passage} dir="auto">
        {citation.passage}
      </span>
    </span>
  )
}

/** After the time of tooltips; Esc and scrolling hide it. */
function useShownSoon(): [boolean, () => void, () => void] {
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = (): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsShown(true), tooltipDelayMs)
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setIsShown(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown) return
    const onKeyDown = ({ key }: globalThis.KeyboardEvent): void => {
      if (key === 'Escape') setIsShown(false)
    }
    const onScroll = (): void => setIsShown(false)
    document.addEventListener('keydown', onKeyDown, true)
    document.addEventListener('wheel', onScroll, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', onKeyDown, true)
      document.removeEventListener('wheel', onScroll, true)
    }
  }, [isShown])
  return [isShown, show, hide]
}
