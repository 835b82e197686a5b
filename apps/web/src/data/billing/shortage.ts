import { hasEnoughCredits } from '@parley/contract/billing'
import type { PublicConfig } from '@parley/contract/config'
import { limits } from '@parley/contract/limits'
import type { Model } from '@parley/contract/models'
import { parseMarkup } from '@parley/contract/money'
import { useEffect } from 'react'
import { useConfig, useIsConfigLoading } from '../config/use-config'
import { useChosenModel } from '../models/chosen-model'
import { useModels } from '../models/models-query'
import { useUser } from '../session/stored-session'
import { useCredits } from './credits'
import { noteShortage } from './no-credits-state'
import { type Plan, usePlan } from './plan'

/** Keeps `mayAsk` in step with plan, credits and chosen model, as long as it is used. */
export function useShortage(): void {
  const plan = usePlan()
  const config = useConfig()
  const { chosen } = useChosenModel()
  const isConfigLoading = useIsConfigLoading()
  const { models, isLoading } = useModels({ isEnabled: isLow(plan) && config?.models === 'gateway', maxAgeMs: limits.models.cacheMs, retryOnMount: false })
  const { isLoading: isAmountLoading } = useCredits()
  const isUndecided = isLow(plan) && (config ? models === undefined && isLoading : isConfigLoading)
  const isBalanceComing = plan.kind === 'credits' && isAmountLoading
  const isShort = isBalanceComing || isUndecided ? undefined : isShortOf({ plan, config, models, chosenId: chosen?.id })
  const userId = useUser()?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is noted is about whoever is signed in
  useEffect(() => noteShortage(isShort, isBalanceComing ? 'balance' : 'prices'), [isShort, isBalanceComing, userId])
  useEffect(() => () => noteShortage(false), [])
}

type Known = { plan: Plan; config: PublicConfig | undefined; models: readonly Model[] | undefined; chosenId: string | undefined }

/** Whether the server is known to refuse the next question. Whatever is not known here, it decides by itself. */
function isShortOf({ plan, config, models, chosenId }: Known): boolean {
  // Only a gateway costs anything, and only where its cost is passed on.
  if (!isLow(plan) || config?.models !== 'gateway' || parseMarkup(config.creditMarkup) === parseMarkup(0)) return false
  const asked = chosenId ?? config.defaultModel
  const model = models?.find(({ id }) => id === asked)
  return model !== undefined && !model.free
}

const isLow = (plan: Plan): boolean =>
  plan.kind === 'credits' && plan.amount !== undefined && !hasEnoughCredits({ isWeb3: false, isSubscribed: false, amount: plan.amount })
