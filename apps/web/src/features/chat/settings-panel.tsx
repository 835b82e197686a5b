import '../../i18n/later-texts'
import { hasAnswerSettings } from '@parley/contract/chat-settings'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { RotateCcw } from 'lucide-react'
import { useConfig } from '../../data/config/use-config'
import { useChosenModel } from '../../data/models/chosen-model'
import { useModels } from '../../data/models/models-query'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EffortField, InstructionsField, LengthField, TemperatureField } from './settings-fields'
import styles from './settings-panel.module.css'
import { useSettingsDraft } from './use-settings-draft'

type Props = {
  channelId: string | undefined
  /** On a wide screen, where it opens. */
  anchor: (() => HTMLElement | null) | undefined
  onClose: () => void
}

/** How the answers of a chat are asked for. What is changed is kept at once. */
export default function SettingsPanel({ channelId, anchor, onClose }: Props) {
  const { t } = useTranslation()
  const { settings, canChange, change } = useSettingsDraft(channelId)
  const { model, name, isLoading } = useAnsweringModel()
  const field = { settings, change, isDisabled: !canChange, model, modelName: name, isLoading }
  const isUsual = !hasAnswerSettings(settings)
  return (
    <Dialog title={t('chatSettings.title')} size="small" anchor={anchor} onClose={onClose}>
      <div className={styles.fields} tabIndex={-1} data-autofocus="">
        {!canChange && <p className={styles.note}>{t('chatSettings.ownerOnly')}</p>}
        <EffortField {...field} />
        <TemperatureField {...field} />
        <LengthField {...field} />
        <InstructionsField {...field} />
        {canChange && (
          <Button
            variant="quiet"
            size="small"
            icon={RotateCcw}
            // It keeps the focus, which a disabled button would lose.
            aria-disabled={isUsual || undefined}
            className={styles.reset}
            onClick={() => {
              if (!isUsual) change({ effort: null, temperature: null, answerTokens: null, instructions: null })
            }}
          >
            {t('chatSettings.reset')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** The model that answers the next question; undefined as long as the list of models does not tell it. */
function useAnsweringModel(): { model: Model | undefined; name: string; isLoading: boolean } {
  const defaultModel = useConfig()?.defaultModel
  const { chosen } = useChosenModel()
  const { models, isLoading } = useModels({ isEnabled: true, maxAgeMs: webLimits.models.cacheMs })
  const id = chosen?.id ?? defaultModel
  const model = models?.find((each) => each.id === id)
  return { model, name: model?.name ?? chosen?.name ?? id?.split('/').at(-1) ?? '', isLoading: isLoading && !models }
}
