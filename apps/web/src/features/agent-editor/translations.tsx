import '../../i18n/later-texts'
import type { AgentLanguage } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits/shared'
import { ChevronDown, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { type FormTexts, freeLanguages, isHalfWritten } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field, TextArea, TextInput } from '../../ui/field'
import styles from './editor.module.css'
import type { FieldsProps } from './general-fields'

/** The agent's texts in further languages, collapsed until the person opens them. */
export function Translations({ form, errors, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setIsOpen] = useState(form.translations.length > 0)
  const isShown = isOpen || errors.translations !== undefined
  const change = (language: AgentLanguage, texts: Partial<FormTexts>): void =>
    onChange({
      translations: form.translations.map((each) => (each.language === language ? { ...each, ...texts } : each)),
    })

  return (
    <section className={styles.translations} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <button type="button" aria-expanded={isShown} aria-controls={id} onClick={() => setIsOpen(!isShown)}>
          {t('agentEditor.moreLanguages')}
          <ChevronDown aria-hidden="true" />
        </button>
      </h3>
      <div id={id} hidden={!isShown} className={styles.fields}>
        <p className={styles.note}>{t('agentEditor.moreLanguagesHint')}</p>
        {form.translations.map((texts) => (
          <Translation
            key={texts.language}
            texts={texts}
            isWrong={errors.translations !== undefined && isHalfWritten(texts)}
            onChange={(changed) => change(texts.language, changed)}
            onRemove={() => onChange({ translations: form.translations.filter((each) => each !== texts) })}
          />
        ))}
        {errors.translations !== undefined && (
          <p className={styles.error} role="alert">
            {errors.translations}
          </p>
        )}
        <div className={styles.row}>
          {freeLanguages(form).map((language) => (
            <Button
              key={language}
              size="small"
              icon={Plus}
              onClick={() =>
                onChange({
                  translations: [...form.translations, { language, role: '', about: '', prompt: '', greeting: '' }],
                })
              }
            >
              {t('agentEditor.addLanguage', { language: t(`agentEditor.languages.${language}`) })}
            </Button>
          ))}
        </div>
      </div>
    </section>
  )
}

type TranslationProps = {
  texts: FormTexts
  isWrong: boolean
  onChange: (change: Partial<FormTexts>) => void
  onRemove: () => void
}

function Translation({ texts, isWrong, onChange, onRemove }: TranslationProps) {
  const { t } = useTranslation()
  const language = t(`agentEditor.languages.${texts.language}`)
  const label = (field: 'role' | 'about' | 'prompt' | 'greeting') =>
    t('agentEditor.inLanguage', { field: t(`agentEditor.${field}`), language })
  const { role, about, prompt, greeting } = limits.agents
  const invalid = (text: string) => (isWrong && text.trim() === '' ? { 'aria-invalid': true } : {})
  return (
    <fieldset className={styles.translation}>
      <legend>{language}</legend>
      <Field label={label('role')}>
        <TextInput
          autoComplete="off"
          dir="auto"
          maxLength={role}
          value={texts.role}
          {...invalid(texts.role)}
          onChange={(event) => onChange({ role: event.target.value })}
        />
      </Field>
      <Field label={label('about')}>
        <TextArea
          rows={2}
          dir="auto"
          maxLength={about}
          value={texts.about}
          {...invalid(texts.about)}
          onChange={(event) => onChange({ about: event.target.value })}
        />
      </Field>
      <Field label={label('prompt')}>
        <TextArea
          rows={4}
          dir="auto"
          maxLength={prompt}
          value={texts.prompt}
          {...invalid(texts.prompt)}
          onChange={(event) => onChange({ prompt: event.target.value })}
        />
      </Field>
      <Field label={label('greeting')}>
        <TextArea
          rows={2}
          dir="auto"
          maxLength={greeting}
          value={texts.greeting}
          onChange={(event) => onChange({ greeting: event.target.value })}
        />
      </Field>
      <Button size="small" variant="quiet" icon={Trash2} onClick={onRemove}>
        {t('agentEditor.removeLanguage', { language })}
      </Button>
    </fieldset>
  )
}
