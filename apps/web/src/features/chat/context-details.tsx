import '../../i18n/later-texts'
import { fullnessOf, isOverfull } from '@parley/contract/context-plan'
import { noMoney } from '@parley/contract/money'
import type { ReactNode } from 'react'
import { useChatCost } from '../../data/chat/context-sizes'
import type { NextQuestion } from '../../data/chat/use-context-plan'
import { usePlan } from '../../data/credits/plan'
import { useTranslation } from '../../i18n/interface-language'
import { costText } from '../../lib/dollar-text'
import styles from './context-gauge.module.css'
import { percentOf } from './percent-of'
import { useSpeakerName } from './speaker'

/** What the next question sends, part by part, and what the chat costs. */
export function ContextDetails({ channelId, next }: { channelId: string; next: NextQuestion }) {
  const { t, language } = useTranslation()
  const { plan, assistantId } = next
  const name = useSpeakerName(assistantId)
  const { recent, pinned, summary, unsent, pinnedLeftOut, window } = plan
  return (
    <div className={styles.details} data-warn={isOverfull(plan) || undefined}>
      <span className={styles.meter} aria-hidden="true">
        <i style={{ inlineSize: `${Math.round(fullnessOf(plan) * 100)}%` }} />
      </span>
      <p className={styles.full}>
        {t('context.full', { used: plan.usedTokens, window: window.tokens, percent: percentOf(plan, language) })}
      </p>
      <dl>
        <Line
          name={t(plan.isCut ? 'context.shortened' : 'context.recent', { count: recent.count })}
          tokens={recent.tokens}
        />
        <Line name={t('context.answer')} tokens={window.answer} />
        <Line
          name={assistantId === null ? t('context.general') : t('context.instructions', { name })}
          tokens={plan.agentTokens}
        />
        <Line name={t('context.sources')} tokens={plan.sourceTokens} />
        <Line name={t('context.summary', { count: summary.count })} tokens={summary.tokens} />
        <Line name={t('context.pinned', { count: pinned.count })} tokens={pinned.tokens} />
        <Line name={t('context.question')} tokens={plan.questionTokens} />
      </dl>
      {pinnedLeftOut > 0 && <Note isWarning>{t('context.pinnedLeftOut', { count: pinnedLeftOut })}</Note>}
      {plan.isQuestionTooLong && <Note isWarning>{t('context.tooLong')}</Note>}
      {unsent > 0 && <Note>{t('context.unsent', { count: unsent })}</Note>}
      <Costs channelId={channelId} next={next} />
    </div>
  )
}

function Line({ name, tokens }: { name: string; tokens: number }) {
  const { language } = useTranslation()
  if (tokens === 0) return null
  return <Entry name={name}>{new Intl.NumberFormat(language).format(tokens)}</Entry>
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Note({ isWarning, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <p className={styles.note} data-warn={isWarning || undefined}>
      {children}
    </p>
  )
}

/** For those who pay: for other people it is the gateway's price for the server. */
function Costs({ channelId, next: { cost } }: { channelId: string; next: NextQuestion }) {
  const { t, language } = useTranslation()
  const pays = usePlan().kind === 'credits'
  const soFar = useChatCost(channelId)
  if (!pays) return null
  return (
    <dl className={styles.money}>
      {cost !== undefined && cost > noMoney && <Entry name={t('context.atMost')}>{costText(cost, language)}</Entry>}
      {soFar !== undefined && <Entry name={t('context.soFar')}>{costText(soFar, language)}</Entry>}
    </dl>
  )
}
