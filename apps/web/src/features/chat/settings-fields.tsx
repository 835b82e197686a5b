import '../../i18n/later-texts'
import {
  type ChatSettings,
  type ChatSettingsChange,
  type Effort,
  efforts,
  isAnswerLength,
  wordsOf,
} from '@parley/contract/chat-settings'
import { limits } from '@parley/contract/limits/shared'
import { type Model, takesParameter } from '@parley/contract/models'
import { useId, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { TextArea, TextInput } from '../../ui/field'
import { Segmented } from '../../ui/segmented'
import styles from './settings-panel.module.css'

type Props = {
  settings: ChatSettings
  change: (change: ChatSettingsChange) => void
  /** They can be read, not changed. */
  isDisabled: boolean
  /** The model that answers; undefined where nothing is known of it, or nothing yet. */
  model: Model | undefined
  modelName: string
  isLoading: boolean
}

const { temperature: range, answerTokens: length, maxInstructions } = limits.chatSettings

/** How long the model thinks, where it lets that be chosen. */
export function EffortField({ settings: { effort }, change, isDisabled, model, modelName, isLoading }: Props) {
  const { t } = useTranslation()
  const label = t('chatSettings.effort')
  if (!isLoading && !takesParameter(model, 'reasoning'))
    return <Missing label={label} text={t('chatSettings.noEffort', { model: modelName })} />
  const options = (['auto', ...efforts] as const).map((value) => ({
    value,
    label: t(`chatSettings.${value}`),
    disabled: isDisabled || isLoading,
  }))
  return (
    <div className={styles.field}>
      <Segmented<Effort | 'auto'>
        label={label}
        value={effort ?? 'auto'}
        options={options}
        onChange={(next) => change({ effort: next === 'auto' ? null : next })}
      />
      <p className={styles.hint}>{t('chatSettings.effortHint')}</p>
    </div>
  )
}

/** Where the slider stands while nothing is chosen: in the middle. */
const middle = (range.least + range.most) / 2

export function TemperatureField({ settings: { temperature }, change, isDisabled, model, modelName }: Props) {
  const { t, language } = useTranslation()
  const id = useId()
  const label = t('chatSettings.temperature')
  if (!takesParameter(model, 'temperature'))
    return <Missing label={label} text={t('chatSettings.noTemperature', { model: modelName })} />
  const shown =
    temperature === undefined
      ? t('chatSettings.agentDefault')
      : new Intl.NumberFormat(language, { minimumFractionDigits: 1 }).format(temperature)
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id}>{shown}</output>
        {temperature !== undefined && !isDisabled && (
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              // The button goes, and must not take the focus with it.
              document.getElementById(id)?.focus()
              change({ temperature: null })
            }}
          >
            {t('chatSettings.useDefault')}
          </Button>
        )}
      </div>
      <input
        id={id}
        type="range"
        className={styles.slider}
        data-usual={temperature === undefined || undefined}
        min={range.least}
        max={range.most}
        step={0.1}
        disabled={isDisabled}
        value={temperature ?? middle}
        aria-valuetext={shown}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => change({ temperature: Math.round(target.valueAsNumber * 10) / 10 })}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        {t('chatSettings.temperatureHint')}
      </p>
    </div>
  )
}

/** In tokens. */
const lengths = { lengthShort: 300, lengthMedium: 1_000, lengthLong: 4_000 } as const
type Length = keyof typeof lengths
const lengthNames: readonly Length[] = ['lengthShort', 'lengthMedium', 'lengthLong']

export function LengthField({ settings: { answerTokens }, change, isDisabled, model, modelName }: Props) {
  const { t } = useTranslation()
  const id = useId()
  /** What is typed, while it is no length. */
  const [typed, setTyped] = useState<string>()
  const chosen =
    answerTokens === undefined ? 'lengthAny' : (lengthNames.find((name) => lengths[name] === answerTokens) ?? 'other')
  const options = (['lengthAny', ...lengthNames] as const).map((value) => ({
    value,
    label: t(`chatSettings.${value}`),
    disabled: isDisabled,
  }))
  const isInvalid = typed !== undefined
  const note = isInvalid
    ? t('chatSettings.tokensInvalid', length)
    : answerTokens !== undefined && !takesParameter(model, 'max_tokens')
      ? t('chatSettings.noLength', { model: modelName })
      : undefined
  return (
    <div className={styles.field}>
      <Segmented<Length | 'lengthAny' | 'other'>
        label={t('chatSettings.length')}
        value={chosen}
        options={options}
        onChange={(next) => {
          setTyped(undefined)
          change({ answerTokens: next === 'lengthAny' || next === 'other' ? null : lengths[next] })
        }}
      />
      <div className={styles.line}>
        <label htmlFor={id}>{t('chatSettings.tokens')}</label>
        <TextInput
          id={id}
          className={styles.tokens}
          inputMode="numeric"
          autoComplete="off"
          disabled={isDisabled}
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${id}-note`}
          value={typed ?? answerTokens ?? ''}
          onChange={({ target: { value } }) => {
            const tokens = Number(value)
            const isGood = value.trim() === '' || isAnswerLength(tokens)
            setTyped(isGood ? undefined : value)
            if (isGood) change({ answerTokens: value.trim() === '' ? null : tokens })
          }}
        />
        {answerTokens !== undefined && !isInvalid && (
          <output htmlFor={id}>{t('chatSettings.words', { words: wordsOf(answerTokens) })}</output>
        )}
      </div>
      <p id={`${id}-note`} className={isInvalid ? styles.bad : styles.hint} role={isInvalid ? 'alert' : undefined}>
        {note}
      </p>
    </div>
  )
}

export function InstructionsField({ settings: { instructions = '' }, change, isDisabled }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const used = { used: instructions.length, most: maxInstructions }
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label htmlFor={id}>{t('chatSettings.instructions')}</label>
        <span className={styles.counter} data-full={used.used >= used.most || undefined}>
          {t('chatSettings.counter', used)}
        </span>
      </div>
      <TextArea
        id={id}
        rows={4}
        dir="auto"
        className={styles.instructions}
        // The browser would otherwise store the text for autocompletion, in plain text.
        autoComplete="off"
        maxLength={maxInstructions}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        placeholder={t('chatSettings.instructionsExample')}
        value={instructions}
        onChange={({ target }) => change({ instructions: target.value })}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        {t('chatSettings.instructionsHint')}
      </p>
    </div>
  )
}

/** In the place of a field that the model does not take. */
function Missing({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.field}>
      <h3 className={styles.label}>{label}</h3>
      <p className={styles.hint}>{text}</p>
    </div>
  )
}
