import '../../i18n/later-texts'
import type { AgentLanguage } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits/shared'
import { MessagesSquare } from 'lucide-react'
import { withLanguage } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field, TextArea } from '../../ui/field'
import { ChoiceField } from './choice-field'
import styles from './editor.module.css'
import { errorProp, type FieldsProps } from './general-fields'
import { KnowledgeField } from './knowledge-field'
import { KnowledgeFiles } from './knowledge-files'
import { Translations } from './translations'

/** English, Spanish, Portuguese, in the order of the specification. */
const languageOrder = ['en', 'es', 'pt'] as const satisfies readonly AgentLanguage[]

type Props = FieldsProps & {
  /** Opens the trial; undefined while it is open. */
  onTry: (() => void) | undefined
  /** Those of its knowledge; undefined for an agent that can have none: a wallet signs its texts alone. */
  files: readonly string[] | undefined
  onSending: (isSending: boolean) => void
}

/** The fields of prompt, language and knowledge. */
export function DataFields({ form, errors, onChange, onTry, files, onSending }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.fields}>
      <ChoiceField
        label={t('agentEditor.language')}
        value={form.language}
        options={languageOrder.map((value) => ({ value, label: t(`agentEditor.languages.${value}`) }))}
        error={errors.language}
        onChange={(language) => onChange(withLanguage(form, language))}
      />
      <div className={styles.prompt}>
        <Field label={t('agentEditor.prompt')} hint={t('agentEditor.promptHint')} {...errorProp(errors.prompt)}>
          <TextArea
            rows={7}
            dir="auto"
            className={styles.tall ?? ''}
            maxLength={limits.agents.prompt}
            value={form.prompt}
            onChange={(event) => onChange({ prompt: event.target.value })}
          />
        </Field>
        {onTry && (
          <Button size="small" icon={MessagesSquare} className={styles.try ?? ''} onClick={onTry}>
            {t('agentEditor.try.open')}
          </Button>
        )}
      </div>
      <Field label={t('agentEditor.greeting')} hint={t('agentEditor.greetingHint')}>
        <TextArea
          rows={2}
          dir="auto"
          maxLength={limits.agents.greeting}
          value={form.greeting}
          onChange={(event) => onChange({ greeting: event.target.value })}
        />
      </Field>
      <KnowledgeField
        knowledge={form.knowledge}
        takesTextFiles={!files}
        onChange={(knowledge) => onChange({ knowledge })}
      />
      {files && (
        <KnowledgeFiles files={files} onChange={(changed) => onChange({ files: changed })} onSending={onSending} />
      )}
      <Translations form={form} errors={errors} onChange={onChange} />
    </div>
  )
}
