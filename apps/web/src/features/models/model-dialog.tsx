import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { isWeb3 } from '@parley/contract/users'
import { useEffect } from 'react'
import { useConfig } from '../../data/config/use-config'
import { chooseModel, useChosenModel } from '../../data/models/chosen-model'
import { noteModelUse, refreshModelHabits } from '../../data/models/model-habits'
import type { ModelRequest } from '../../data/models/model-request'
import { useModels } from '../../data/models/models-query'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Skeleton } from '../../ui/skeleton'
import { ModelPicker } from './model-picker'
import styles from './models.module.css'

/** `request`: the model is picked for it alone. */
type Props = { canChoose: boolean; request?: ModelRequest; onClose: () => void }

/** The dialog that picks the model. */
export default function ModelDialog({ canChoose, request, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('models.title')} size={canChoose ? 'large' : 'small'} onClose={onClose}>
      {canChoose ? <Choice request={request} onClose={onClose} /> : <NoChoice />}
    </Dialog>
  )
}

function NoChoice() {
  const { t } = useTranslation()
  const config = useConfig()
  return (
    <p className={styles.none}>
      {config?.models === 'offline' ? t('models.offline') : t('models.defaultOnly', { model: config?.defaultModel })}
    </p>
  )
}

function Choice({ request, onClose }: { request: ModelRequest | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const {
    models: listed,
    problem,
    isLoading,
    refetch,
  } = useModels({ isEnabled: true, maxAgeMs: webLimits.models.refreshMs })
  const defaultModel = useConfig()?.defaultModel ?? ''
  const { chosen } = useChosenModel()
  const user = useUser()
  useEffect(refreshModelHabits, [])

  // A wallet keeps the default model, without an error message.
  const fallback: readonly Model[] | undefined =
    problem && user && isWeb3(user)
      ? [{ id: defaultModel, name: defaultModel.split('/').at(-1) ?? defaultModel, free: false }]
      : undefined
  const models = listed ?? fallback

  function choose({ id, name }: Model) {
    if (request) request.onChoose(id)
    else chooseModel(id === defaultModel ? undefined : { id, name })
    noteModelUse(id)
    onClose()
  }

  const currentId = request?.currentId ?? chosen?.id ?? defaultModel
  if (models) return <ModelPicker models={models} currentId={currentId} onChoose={choose} />
  if (!problem) return <Loading />
  const retry = (
    <Button busy={isLoading} onClick={refetch}>
      {t('models.retry')}
    </Button>
  )
  return (
    <div className={styles.problem} role="alert">
      <EmptyState title={t(`models.${problem}`)} action={retry} />
    </div>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status" aria-label={t('models.loading')}>
      <Skeleton width="100%" height="42px" />
      {['62%', '48%', '71%', '55%', '66%', '44%'].map((width) => (
        <div key={width}>
          <Skeleton width="34px" height="34px" />
          <Skeleton width={width} height="16px" />
        </div>
      ))}
    </div>
  )
}
