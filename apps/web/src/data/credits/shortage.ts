import type { PublicConfig } from '@parley/contract/config'
import { hasEnoughCredits } from '@parley/contract/credits'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { parseMarkup } from '@parley/contract/money'
import { useEffect } from 'react'
import { useConfig, useIsConfigLoading } from '../config/use-config'
import { useChosenModel } from '../models/chosen-model'
import { useModels } from '../models/models-query'
import { useUser } from '../session/stored-session'
import { useCredits } from './balance'
import { type Plan, usePlan } from './plan'
import { storeShortage } from './shortage-state'

/** While a component uses it, `ensureCredits` follows plan, balance and chosen model. */
export function useShortage(): void {
  const plan = usePlan()
  const config = useConfig()
  const { chosen } = useChosenModel()
  const isConfigLoading = useIsConfigLoading()
  const { models, isLoading } = useModels({
    isEnabled: isLow(plan) && config?.models === 'gateway',
    maxAgeMs: webLimits.models.cacheMs,
    retryOnMount: false,
  })
  const { isLoading: isAmountLoading } = useCredits()
  const isUndecided = isLow(plan) && (config ? models === undefined && isLoading : isConfigLoading)
  const isBalanceComing = plan.kind === 'credits' && isAmountLoading
  const isShort = isBalanceComing || isUndecided ? undefined : isShortOf({ plan, config, models, chosenId: chosen?.id })
  const userId = useUser()?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is noted is about whoever is signed in
  useEffect(() => storeShortage(isShort, isBalanceComing ? 'balance' : 'prices'), [isShort, isBalanceComing, userId])
  useEffect(() => () => storeShortage(false), [])
}

type ShortageInput = {
  plan: Plan
  config: PublicConfig | undefined
  models: readonly Model[] | undefined
  chosenId: string | undefined
}

/**
 * Whether the server would refuse the next question, as far as this page knows. What it does not know, the server
 * decides.
 */
function isShortOf({ plan, config, models, chosenId }: ShortageInput): boolean {
  // Only a gateway's models cost anything, and only where the operator passes the cost on.
  if (!isLow(plan) || config?.models !== 'gateway' || parseMarkup(config.creditMarkup) === parseMarkup(0)) return false
  const asked = chosenId ?? config.defaultModel
  const model = models?.find(({ id }) => id === asked)
  return model !== undefined && !model.free
}

const isLow = (plan: Plan): boolean =>
  plan.kind === 'credits' &&
  plan.amount !== undefined &&
  !hasEnoughCredits({ isWeb3: false, isSubscribed: false, amount: plan.amount })
