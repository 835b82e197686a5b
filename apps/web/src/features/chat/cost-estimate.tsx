import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { expensiveEstimate, tokensSaid } from '../../data/billing/estimate'
import { usePlan } from '../../data/billing/plan'
import { useConfig } from '../../data/config/use-config'
import { useChosenModel } from '../../data/models/chosen-model'
import { useModels } from '../../data/models/models-query'
import { costText } from '../../lib/dollar-text'

/** How often it is computed while somebody types. */
const everyMs = 300

type Props = {
  draft: string
  /** The chat so far, as far as it goes along with the draft. */
  said: readonly Message[]
}

/** What the next answer is likely to cost, where that is much. */
export default function CostEstimate({ draft, said }: Props): ReactNode {
  const { t, i18n } = useTranslation()
  const pays = usePlan().kind === 'credits'
  const config = useConfig()
  const { chosen } = useChosenModel()
  const { models } = useModels({ isEnabled: pays && config?.models === 'gateway', maxAgeMs: limits.models.cacheMs, retryOnMount: false })
  const wanted = chosen?.id ?? config?.defaultModel
  const model = pays && config?.models === 'gateway' ? models?.find(({ id }) => id === wanted) : undefined
  const typed = useNowAndThen(draft)
  const saidTokens = useMemo(() => tokensSaid(said), [said])
  const cost = useMemo(
    () => model && expensiveEstimate({ draft: typed, saidTokens, model, markup: config?.creditMarkup }),
    [typed, saidTokens, model, config?.creditMarkup],
  )
  const text = model && cost && t('credits.estimate', { amount: costText(cost, i18n.language), model: model.name })
  return (
    <span role="status" title={text}>
      {text}
    </span>
  )
}

/** A value that changes with every key, at most every so often. What is empty now is empty at once. */
function useNowAndThen(value: string): string {
  const [shown, setShown] = useState(value)
  const newest = useRef(value)
  const isPending = useRef(false)
  useEffect(() => {
    newest.current = value
    if (isPending.current || value === shown) return
    isPending.current = true
    setTimeout(() => {
      isPending.current = false
      setShown(newest.current)
    }, everyMs)
  }, [value, shown])
  return value === '' ? '' : shown
}
