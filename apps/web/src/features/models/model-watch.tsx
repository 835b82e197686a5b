import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits'
import { isWeb3 } from '@parley/contract/users'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { onNotice } from '../../data/chat/chat-notices'
import { useConfig } from '../../data/config/use-config'
import { chooseModel, nameDefaultModel, suspendChoice, useChosenModel } from '../../data/models/chosen-model'
import { type Models, type ModelsProblem, useModels } from '../../data/models/models-query'
import { useUser } from '../../data/session/stored-session'
import { toast } from '../../ui/toast'

const texts = {
  empty: 'models.unreachable',
  unauthenticated: 'models.unauthenticated',
  failed: 'models.failed',
} as const satisfies Record<ModelsProblem, string>

/** When the failure that was told last was found: this is shown anew with every chat. A missing network is no such failure (0). */
let toldAt = 0

/** Keeps the choice of whoever may choose in step with the list. `isQuiet`: the picker is open and says itself what is wrong. */
export default function ModelWatch({ isQuiet }: { isQuiet: boolean }) {
  const models = useModels({ isEnabled: true, maxAgeMs: limits.models.cacheMs, retryOnMount: false })
  useProblem(models, isQuiet)
  useGoneModel(models)
  useDefaultName(models)
  return null
}

/** A wallet's owner goes on with the default model and hears nothing of it. */
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

/** A chosen model that has left the list gives way to the default one. */
function useGoneModel({ models, isFresh, refetch }: Models): void {
  const { t } = useTranslation()
  const { chosen } = useChosenModel()
  useEffect(() => {
    if (!chosen || !models || models.some(({ id }) => id === chosen.id)) return
    // What the browser had kept may be older than the choice.
    if (!isFresh) return refetch()
    chooseModel(undefined)
    toast.notice(t('models.gone', { model: chosen.name }))
  }, [chosen, models, isFresh, refetch, t])

  // The server refused it: what it has now is another list.
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.kind === 'failed' && notice.code === 'chat.model-unknown') refetch()
      }),
    [refetch],
  )
}

function useDefaultName({ models }: Models): void {
  const defaultModel = useConfig()?.defaultModel
  const name = models?.find(({ id }) => id === defaultModel)?.name
  useEffect(() => {
    if (defaultModel !== undefined && name !== undefined) nameDefaultModel({ id: defaultModel, name })
  }, [defaultModel, name])
}
