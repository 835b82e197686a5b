import { Box } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useRequireLogin } from '../../data/auth/require-login'
import { useConfig } from '../../data/config/use-config'
import { suspendChoice, useChosenModel } from '../../data/models/chosen-model'
import { readLastDefault, writeLastDefault } from '../../data/models/last-default'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { lazyExtra, lazyPart } from '../../ui/lazy-part'
import { PickButton } from '../../ui/pick-button'

const ModelDialog = lazyPart(() => import('./model-dialog'))
// Loaded separately: a failure to load must not break the screen.
const ModelWatch = lazyExtra(() => import('./model-watch'))

/** The button with the current model, which opens the picker. */
export function ModelPick() {
  const { t } = useTranslation()
  const config = useConfig()
  const user = useUser()
  const requireLogin = useRequireLogin()
  const { chosen, byDefault } = useChosenModel()
  const [isOpen, setIsOpen] = useState(false)
  // Without an account a gateway answers with the default model; a local model server is for everybody.
  const canChoose = config?.models === 'local' || (config?.models === 'gateway' && user !== undefined)

  useEffect(() => {
    if (config && !canChoose) suspendChoice(true)
  }, [config, canChoose])

  const defaultModel = config?.defaultModel
  const [last] = useState(readLastDefault)
  const named = config ? [byDefault, last].find((model) => model?.id === defaultModel) : last
  const defaultName = named?.name ?? defaultModel?.split('/').at(-1)
  useEffect(() => {
    if (defaultModel !== undefined && defaultName !== undefined)
      writeLastDefault({ id: defaultModel, name: defaultName })
  }, [defaultModel, defaultName])

  const value = chosen?.name ?? defaultName
  if (value === undefined) return null
  return (
    <>
      <PickButton
        icon={Box}
        label={t('chat.model')}
        value={value}
        aria-haspopup="dialog"
        aria-disabled={!config || undefined}
        onClick={() => setIsOpen(config !== undefined && (config.models === 'offline' || requireLogin()))}
      />
      <Suspense>{canChoose && <ModelWatch isQuiet={isOpen} />}</Suspense>
      {/* A portal, so that Enter does not submit the composer's form. */}
      {createPortal(
        <Suspense>{isOpen && <ModelDialog canChoose={canChoose} onClose={() => setIsOpen(false)} />}</Suspense>,
        document.body,
      )}
    </>
  )
}
