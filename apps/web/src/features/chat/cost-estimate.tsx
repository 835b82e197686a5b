import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { type ReactNode, useMemo } from 'react'
import { useLikelySourceTokens } from '../../data/chat/source-tokens'
import { useConfig } from '../../data/config/use-config'
import { contextTokensOf, expensiveEstimate } from '../../data/credits/estimate'
import { usePlan } from '../../data/credits/plan'
import { useSearchPrice } from '../../data/credits/search-price'
import { useChosenModel } from '../../data/models/chosen-model'
import { useModels } from '../../data/models/models-query'
import { useTranslation } from '../../i18n/interface-language'
import { costText } from '../../lib/dollar-text'
import { useNowAndThen } from './use-now-and-then'

type Props = {
  channelId: string | undefined
  /** The same, or the draft of a new one. */
  draftId: string
  draft: string
  /** The part of the chat that is sent as context. */
  said: readonly Message[]
}

/** The likely cost of the next answer, where it is high. */
export default function CostEstimate({ channelId, draftId, draft, said }: Props): ReactNode {
  const { t, language } = useTranslation()
  const pays = usePlan().kind === 'credits'
  const config = useConfig()
  const { chosen } = useChosenModel()
  const { models } = useModels({
    isEnabled: pays && config?.models === 'gateway',
    maxAgeMs: webLimits.models.cacheMs,
    retryOnMount: false,
  })
  const modelId = chosen?.id ?? config?.defaultModel
  const model = pays && config?.models === 'gateway' ? models?.find(({ id }) => id === modelId) : undefined
  const searchPrice = useSearchPrice(channelId)
  const typed = useNowAndThen(draft)
  const sourceTokens = useLikelySourceTokens(draftId, { model })
  const contextTokens = useMemo(() => contextTokensOf(said) + sourceTokens, [said, sourceTokens])
  const cost = useMemo(
    () => model && expensiveEstimate({ draft: typed, contextTokens, model, markup: config?.creditMarkup, searchPrice }),
    [typed, contextTokens, model, config?.creditMarkup, searchPrice],
  )
  const text = model && cost && t('credits.estimate', { amount: costText(cost, language), model: model.name })
  return (
    <span role="status" title={text}>
      {text}
    </span>
  )
}
