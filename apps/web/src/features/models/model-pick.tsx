import { Box } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useConfig } from '../../data/config/use-config'
import { suspendChoice, useChosenModel } from '../../data/models/chosen-model'
import { useRequireLogin } from '../../data/session/require-login'
import { useUser } from '../../data/session/stored-session'
import { lazyExtra, lazyPart } from '../../ui/lazy-part'
import { PickButton } from '../../ui/pick-button'

const ModelDialog = lazyPart(() => import('./model-dialog'))
// It comes by itself: what cannot be loaded must not take the screen with it.
const ModelWatch = lazyExtra(() => import('./model-watch'))

/** The model that answers, and the way to choose another one. */
export function ModelPick() {
  const { t } = useTranslation()
  const config = useConfig()
  const user = useUser()
  const requireLogin = useRequireLogin()
  const { chosen, byDefault } = useChosenModel()
  const [isOpen, setIsOpen] = useState(false)
  // Without an account a gateway's default model answers; a model server of one's own is for everybody.
  const canChoose = config?.models === 'local' || (config?.models === 'gateway' && user !== undefined)

  useEffect(() => {
    if (config && !canChoose) suspendChoice(true)
  }, [config, canChoose])

  if (!config) return null
  const { defaultModel } = config
  const shown = chosen ?? (byDefault?.id === defaultModel ? byDefault : undefined)
  return (
    <>
      <PickButton
        icon={Box}
        label={t('chat.model')}
        value={shown?.name ?? defaultModel.split('/').at(-1) ?? ''}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(config.models === 'offline' || requireLogin())}
      />
      <Suspense>{canChoose && <ModelWatch isQuiet={isOpen} />}</Suspense>
      {/* Outside of the composer's form, which Enter would send. */}
      {createPortal(<Suspense>{isOpen && <ModelDialog canChoose={canChoose} onClose={() => setIsOpen(false)} />}</Suspense>, document.body)}
    </>
  )
}
