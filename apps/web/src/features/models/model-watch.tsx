import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import { isWeb3 } from '@parley/contract/users'
import { useEffect } from 'react'
import { onNotice } from '../../data/chat/chat-notices'
import { chooseModel, suspendChoice, useChosenModel } from '../../data/models/chosen-model'
import { type Models, type ModelsProblem, useModels } from '../../data/models/models-query'
import { useNamedDefault } from '../../data/models/named-default'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

const texts = {
  empty: 'models.unreachable',
  unauthenticated: 'models.unauthenticated',
  failed: 'models.failed',
} as const satisfies Record<ModelsProblem, string>

/**
 * The time of the last reported failure: this component is mounted with every chat. A missing network is not reported
 * (0).
 */
let toldAt = 0

/**
 * Updates the chosen model when the list changes, for people who may choose. `isQuiet`: the picker is open and reports
 * problems itself.
 */
export default function ModelWatch({ isQuiet }: { isQuiet: boolean }) {
  const models = useModels({ isEnabled: true, maxAgeMs: webLimits.models.cacheMs, retryOnMount: false })
  useProblem(models, isQuiet)
  useUnlistedModel(models)
  useNamedDefault(models)
  return null
}

/** A wallet continues with the default model, without an error message. */
function useProblem({ problem, problemAt }: Models, isQuiet: boolean): void {
  const { t } = useTranslation()
  const user = useUser()
  const isSilent = user !== undefined && isWeb3(user)
  useEffect(() => {
    suspendChoice(isSilent && problem !== undefined)
    if (!problem || problemAt <= toldAt) return
    toldAt = problemAt
    if (!isSilent && !isQuiet) toast.error(t(texts[problem]))
  }, [problem, problemAt, isSilent, isQuiet, t])
}

/** A chosen model that is no longer listed is replaced by the default one. */
function useUnlistedModel({ models, isFresh, refetch }: Models): void {
  const { t } = useTranslation()
  const { chosen } = useChosenModel()
  useEffect(() => {
    if (!chosen || !models || models.some(({ id }) => id === chosen.id)) return
    // The cached list may be older than the choice.
    if (!isFresh) return refetch()
    chooseModel(undefined)
    toast.notice(t('models.gone', { model: chosen.name }))
  }, [chosen, models, isFresh, refetch, t])

  // The server refused the model: its current list differs.
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.kind === 'failed' && notice.code === 'chat.model-unknown') refetch()
      }),
    [refetch],
  )
}
