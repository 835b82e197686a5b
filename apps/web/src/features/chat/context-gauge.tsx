import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { fullnessOf, isOverfull } from '@parley/contract/context-plan'
import { useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useContextPlan } from '../../data/chat/use-context-plan'
import { useSummaryLines } from '../../data/chat/use-summary-lines'
import { useTranslation } from '../../i18n/interface-language'
import { media } from '../../ui/breakpoints'
import { Dialog } from '../../ui/dialog'
import { Popover } from '../../ui/popover'
import { useMediaQuery } from '../../ui/use-media-query'
import { ContextDetails } from './context-details'
import styles from './context-gauge.module.css'
import { percentOf } from './percent-of'
import { useNowAndThen } from './use-now-and-then'

type Props = {
  channelId: string
  draft: string
  /** The newest messages of the chat. */
  said: readonly Message[]
}

/** How full the model's window is with the next question: a ring that opens what is sent, and what it costs. */
export default function ContextGauge({ channelId, draft, said }: Props) {
  const { t, language } = useTranslation()
  const next = useContextPlan({ channelId, draft: useNowAndThen(draft), loaded: said, language })
  useSummaryLines(channelId, next, said)
  const button = useRef<HTMLButtonElement>(null)
  const isNarrow = useMediaQuery(media.narrow)
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  if (!next) return null
  const close = (): void => setIsOpen(false)
  const percent = percentOf(next.plan, language)
  const details = <ContextDetails channelId={channelId} next={next} />
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.gauge}
        data-warn={isOverfull(next.plan) || undefined}
        aria-label={t(isOverfull(next.plan) ? 'context.overfull' : 'context.gauge', { percent })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Ring part={fullnessOf(next.plan)} />
        <span aria-hidden="true">{percent}</span>
      </button>
      {/* A portal, outside of the composer's form. */}
      {isOpen &&
        createPortal(
          isNarrow ? (
            <Dialog title={t('context.title')} size="small" onClose={close}>
              {details}
            </Dialog>
          ) : (
            <Popover id={id} title={t('context.title')} opener={button} above="form" onClose={close}>
              {details}
            </Popover>
          ),
          document.body,
        )}
    </>
  )
}

function Ring({ part }: { part: number }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
      <circle cx="10" cy="10" r="7.5" pathLength="100" strokeDasharray={`${Math.round(part * 100)} 100`} />
    </svg>
  )
}
